import { AsyncLocalStorage } from "node:async_hooks";
import { KubeError } from "@typekube/core";
import { type Clock, type Random, sleep, withoutCallScope } from "@typekube/core/internal";

/** Why events were not recorded. */
export type DropReason = "budget" | "queue_full" | "rejected" | "retries" | "stopped";

/** A write of an event. */
export interface EventWrite {
  /** Names the event for messages. */
  readonly what: string;
  send(signal: AbortSignal): Promise<void>;
  /** Called once, after the last attempt. */
  done?(error: KubeError | undefined): void;
}

/** Parts of an {@link EventQueue}. */
export interface EventQueueParts {
  readonly clock: Clock;
  readonly random: Random;
  /** Called for each event that is not written, and with the error that it was rejected with. */
  readonly onDrop: (reason: DropReason, what: string, error?: KubeError) => void;
}

/** Writes that wait. (client-go `tools/events/event_broadcaster.go` maxQueuedEvents) */
const maxQueued = 1_000;
/** Attempts of a write. (client-go maxTriesPerEvent) */
const maxTries = 12;
/** Milliseconds between two attempts, and the share of it that is added at random. (client-go defaultSleepDuration) */
const retryMs = 10_000;
const retryJitter = 0.25;

/** Writes events one after the other, outside of the run that recorded them. A full queue drops the newest. */
export class EventQueue {
  readonly #parts: EventQueueParts;
  readonly #abort = new AbortController();
  readonly #queued: EventWrite[] = [];
  /** Calls a function outside of the run, and of its trace, that recorded an event. */
  readonly #outside = withoutCallScope(() => AsyncLocalStorage.snapshot());
  #isClosed = false;
  #draining: Promise<void> | undefined;

  constructor(parts: EventQueueParts) {
    this.#parts = parts;
  }

  /** Queues a write; returns false when it is dropped. */
  add(write: EventWrite): boolean {
    if (this.#isClosed || this.#queued.length >= maxQueued) {
      this.#parts.onDrop(this.#isClosed ? "stopped" : "queue_full", write.what);
      return false;
    }
    this.#queued.push(write);
    this.#draining ??= this.#outside(() => this.#drain());
    return true;
  }

  /** Writes what is queued, and drops what is not written in time. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    const over = new AbortController();
    if (timeoutMs > 0 && this.#draining !== undefined) {
      const timeout = sleep(this.#parts.clock, timeoutMs, over.signal).catch(() => {});
      await Promise.race([this.#draining, timeout]);
    }
    over.abort();
    this.#abort.abort(new KubeError("Aborted", "the recorder of events was closed"));
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // Later occurrences in the same turn of the event loop can still be merged into this write.
    await Promise.resolve();
    for (let write = this.#queued[0]; write !== undefined; write = this.#queued[0]) {
      const [reason, error] = await this.#attempt(write);
      if (reason !== undefined) {
        this.#parts.onDrop(reason, write.what, error);
      }
      this.#queued.shift();
      write.done?.(error);
    }
    this.#draining = undefined;
  }

  async #attempt(write: EventWrite): Promise<[DropReason?, KubeError?]> {
    const { clock, random } = this.#parts;
    const { signal } = this.#abort;
    for (let tries = 1; !signal.aborted; tries++) {
      try {
        await write.send(signal);
        return [];
      } catch (thrown) {
        const error = KubeError.from(thrown);
        if (!signal.aborted && !isRetriable(error)) {
          return ["rejected", error];
        }
        if (!signal.aborted && tries >= maxTries) {
          return ["retries", error];
        }
      }
      // A flush ends at its timeout, which is shorter than this.
      await sleep(clock, retryMs * (1 + random() * retryJitter), signal).catch(() => {});
    }
    return ["stopped", new KubeError("Aborted", "the recorder of events was closed")];
  }
}

/** Errors of the connection and of an overloaded server pass; what the server decided about an event does not. */
function isRetriable({ code, status }: KubeError): boolean {
  return status?.code === undefined
    ? code !== "InvalidArgument"
    : status.code === 429 || status.code >= 500;
}
