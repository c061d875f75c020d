import { KubeError } from "@typekube/core";
import { type Clock, sleep } from "@typekube/core/internal";
import type { Fault } from "./fault.js";

/** Bytes sent in drips before the rest follows at once, and the pause between two drips. */
const drippingBytes = 400;
const dripMs = 20;

/** Callbacks of an exchange. */
export interface ExchangeWatcher {
  /** Called when a body fault strikes. */
  onStrike(fault: Fault): void;
  /** Called at the end; `unused` is a body fault that could not strike. */
  onEnd(unused: Fault | undefined): void;
}

/** A request and its response under fault injection: its deadline, its end, and the bytes of its body. */
export class OpenExchange {
  readonly #abort = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #clock: Clock;
  readonly #watcher: ExchangeWatcher;
  readonly #onOuterAbort = () => this.#abort.abort(this.#outer?.reason);
  readonly #cancelDeadline: () => void;
  #fault: Fault | undefined;
  #passed = 0;
  #dripping = 0;
  #isSilent = false;
  #endsCleanly = false;

  constructor(
    outer: AbortSignal | undefined,
    clock: Clock,
    deadlineMs: number,
    watcher: ExchangeWatcher,
  ) {
    this.#outer = outer;
    this.#clock = clock;
    this.#watcher = watcher;
    outer?.throwIfAborted();
    outer?.addEventListener("abort", this.#onOuterAbort, { once: true });
    this.#cancelDeadline = clock.schedule(deadlineMs, () =>
      this.#abort.abort(new KubeError("DeadlineExceeded", `no response for ${deadlineMs} ms`)),
    );
  }

  /** Aborts the forwarded request. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** `true` while a body fault is pending. */
  get isWeak(): boolean {
    return this.#fault !== undefined;
  }

  /** Cancels the deadline, which a stream has only until its headers. */
  hasHeaders(): void {
    this.#cancelDeadline();
  }

  /** Sets a body fault, whose bytes are counted from now on. */
  weaken(fault: Fault | undefined): void {
    this.#fault ??= fault;
    this.#passed = 0;
  }

  /** Removes the pending fault. */
  strengthen(): void {
    this.#fault = undefined;
  }

  /** Breaks the connection now, through the pending fault if there is one. A silent connection stays silent. */
  break(): void {
    const fault = this.#fault;
    if (this.#isSilent) {
      return;
    }
    if (fault !== undefined && fault.kind !== "slow-drip") {
      this.#strike(fault);
      this.#isSilent = fault.kind === "half-open-body";
      this.#endsCleanly = fault.kind === "body-end";
    }
    if (!this.#isSilent) {
      this.#abort.abort(broken());
    }
  }

  /** Never resolves; rejects when the caller or the deadline aborts. */
  silence(): Promise<never> {
    this.#isSilent = true;
    return new Promise((_, reject) => {
      const fail = () => reject(this.signal.reason);
      if (this.signal.aborted) {
        fail();
      }
      this.signal.addEventListener("abort", fail, { once: true });
    });
  }

  /** Ends the exchange. */
  end(): void {
    this.#cancelDeadline();
    this.#outer?.removeEventListener("abort", this.#onOuterAbort);
    this.#watcher.onEnd(this.#dripping === 0 ? this.#fault : undefined);
    this.#fault = undefined;
  }

  /** Yields the body with its fault. */
  async *body(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of source) {
        if (chunk.length > 0 && (yield* this.#weathered(chunk)) === "ended") {
          return;
        }
      }
      if (this.#isSilent) {
        await this.silence();
      }
    } catch (error) {
      if (this.#endsCleanly) {
        return;
      }
      if (this.#isSilent && !this.signal.aborted) {
        await this.silence();
      }
      throw this.signal.aborted ? this.signal.reason : error;
    } finally {
      this.end();
      // Aborts the forwarded request, so that it does not continue for a body without a reader.
      this.#abort.abort(broken());
    }
  }

  async *#weathered(bytes: Uint8Array): AsyncGenerator<Uint8Array, "ended" | "open", undefined> {
    this.signal.throwIfAborted();
    if (this.#isSilent) {
      return this.silence();
    }
    const fault = this.#fault;
    const before = this.#passed;
    this.#passed += bytes.length;
    if (fault === undefined) {
      yield bytes;
      return "open";
    }
    if (fault.kind === "slow-drip") {
      yield* this.#drip(bytes, fault);
      return "open";
    }
    if (this.#passed <= fault.bytes) {
      yield bytes;
      return "open";
    }
    this.#strike(fault);
    const left = bytes.subarray(0, fault.bytes - before);
    if (left.length > 0) {
      yield left;
    }
    switch (fault.kind) {
      case "body-cut":
        throw broken();
      case "half-open-body":
        return this.silence();
      default:
        return "ended";
    }
  }

  async *#drip(bytes: Uint8Array, fault: Fault): AsyncGenerator<Uint8Array, void> {
    if (this.#dripping === 0) {
      this.#watcher.onStrike(fault);
    }
    let at = 0;
    for (; at < bytes.length && this.#dripping < drippingBytes; at += fault.bytes) {
      yield bytes.subarray(at, at + fault.bytes);
      this.#dripping += fault.bytes;
      await sleep(this.#clock, dripMs, this.signal);
    }
    if (at < bytes.length) {
      yield bytes.subarray(at);
    }
    if (this.#dripping >= drippingBytes) {
      this.#dripping = 0;
      this.#fault = undefined;
    }
  }

  #strike(fault: Fault): void {
    this.#fault = undefined;
    this.#watcher.onStrike(fault);
  }
}

function broken(): KubeError {
  return new KubeError("ConnectionReset", "the storm broke the connection");
}
