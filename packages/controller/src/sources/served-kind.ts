import type { ResourceDescriptor } from "@typekube/api";
import type { ClientCore } from "@typekube/client";
import { contextOf } from "@typekube/client/internal";
import { isNotFound, KubeError } from "@typekube/core";
import { type Clock, linkAbort, type Random, sleep } from "@typekube/core/internal";
import { type AnyKind, kindId } from "../definition/any-kind.js";

/** First and longest delay in milliseconds between two look-ups; up to doubled at random. */
const firstDelayMs = 500;
const maxDelayMs = 5_000;

/** Ends waits that are not needed any more. Without a reason, each abort would create an exception. */
const resolvedFirst = "resolved first";

/** Parts of a {@link ServedKind}. */
export interface ServedKindParts {
  readonly client: ClientCore;
  readonly clock: Clock;
  readonly random: Random;
  /** Ends the look-ups. */
  readonly signal: AbortSignal;
  /** `true` for a kind that a controller can do without. */
  readonly isOptional: boolean;
  readonly onError: (error: KubeError) => void;
  /** Called when an optional kind becomes inactive because its definition is absent, and when it is active again. */
  readonly onChange: (kind: ServedKind) => void;
}

/**
 * A kind that a controller declares, and what the server knows of it: its descriptor, which discovery finds for a kind
 * that is declared as `{ apiVersion, kind }`, and whether its definition exists.
 */
export class ServedKind {
  /** The kind as declared. */
  readonly kind: AnyKind;
  readonly #parts: ServedKindParts;
  readonly #waiting = new Set<() => void>();
  #descriptor: ResourceDescriptor | undefined;
  #isAbsent = false;
  #lastError: KubeError | undefined;

  /** Looks the kind up, unless it is declared with a descriptor. */
  constructor(kind: AnyKind, parts: ServedKindParts) {
    this.kind = kind;
    this.#parts = parts;
    if ("plural" in kind) {
      this.#descriptor = kind;
    } else {
      void this.#resolve();
    }
  }

  /** Names the kind for messages: `apps/v1/Deployment`. */
  get id(): string {
    return kindId(this.kind);
  }

  /** `true` for a kind that a controller can do without. */
  get isOptional(): boolean {
    return this.#parts.isOptional;
  }

  /** `undefined` until discovery has found the kind. */
  get descriptor(): ResourceDescriptor | undefined {
    return this.#descriptor;
  }

  /** `true` while the controller does without the kind because its definition is absent. */
  get isInactive(): boolean {
    return this.#parts.isOptional && this.#isAbsent;
  }

  /** Calls back once, as soon as the descriptor is known: at once if it is. */
  whenResolved(callback: () => void): void {
    if (this.#descriptor !== undefined) {
      callback();
    } else {
      this.#when(() => this.#descriptor !== undefined, callback);
    }
  }

  /**
   * Resolves with the descriptor.
   *
   * @throws {KubeError} why discovery did not find the kind in time, as a reason of the rejection.
   */
  async resolved(signal: AbortSignal, timeoutMs: number): Promise<ResourceDescriptor> {
    if (this.#descriptor !== undefined) {
      return this.#descriptor;
    }
    using over = linkAbort(signal);
    const found = new Promise<void>((resolve) => this.whenResolved(resolve));
    const late = sleep(this.#parts.clock, timeoutMs, over.signal).then(() => {
      const failure = new KubeError("DeadlineExceeded", `discovery did not find ${this.id} yet`);
      throw this.#lastError ?? failure;
    });
    try {
      await Promise.race([found, late]);
    } finally {
      over.abort(resolvedFirst);
      late.catch(() => {});
    }
    return this.#descriptor as unknown as ResourceDescriptor;
  }

  /**
   * Resolves when the descriptor is known, or that the definition is absent.
   *
   * @throws {KubeError} why the look-up failed for all of the time, as a reason of the rejection.
   */
  async lookedUp(signal: AbortSignal, timeoutMs: number): Promise<void> {
    if (this.#descriptor !== undefined || this.#isAbsent) {
      return;
    }
    using over = linkAbort(signal);
    const absent = new Promise<void>((resolve) => this.#when(() => this.#isAbsent, resolve));
    try {
      await Promise.race([absent, this.resolved(over.signal, timeoutMs)]);
    } finally {
      over.abort(resolvedFirst);
    }
  }

  /** Resolves when the kind is inactive. */
  inactive(): Promise<void> {
    return new Promise((resolve) => {
      if (this.isInactive) {
        resolve();
      } else {
        this.#when(() => this.isInactive, resolve);
      }
    });
  }

  /** Records the failure of a request for the collection. */
  failed(error: KubeError): void {
    this.#lastError = error;
    // A response about a missing object names it; one about a missing path does not.
    if (isNotFound(error) && error.status?.details?.name === undefined && !this.#isAbsent) {
      this.#isAbsent = true;
      this.#changed();
    }
  }

  /** Records that the server serves the collection. Looks the kind up again if it was absent: its scope may differ. */
  async served(): Promise<void> {
    if (!this.#isAbsent) {
      return;
    }
    this.#isAbsent = false;
    if (!("plural" in this.kind)) {
      const { client, signal } = this.#parts;
      const found = await contextOf(client)
        .discovery.find(this.kind, { signal })
        .catch(() => this.#descriptor);
      this.#descriptor = found;
    }
    if (!this.#parts.signal.aborted && !this.#isAbsent) {
      this.#changed();
    }
  }

  async #resolve(): Promise<void> {
    const { client, clock, random, signal, onError } = this.#parts;
    const { discovery } = contextOf(client);
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(maxDelayMs, delayMs * 2)) {
      try {
        this.#descriptor = await discovery.find(this.kind, { signal });
        signal.throwIfAborted();
        this.#notify();
        return;
      } catch (failure) {
        if (signal.aborted) {
          return;
        }
        const error = KubeError.from(failure);
        onError(error);
        this.failed(error);
      }
      try {
        await sleep(clock, delayMs * (1 + random()), signal);
      } catch {
        return;
      }
    }
  }

  #changed(): void {
    if (this.#parts.isOptional) {
      this.#parts.onChange(this);
    }
    this.#notify();
  }

  #when(isReached: () => boolean, callback: () => void): void {
    const check = () => {
      if (isReached()) {
        this.#waiting.delete(check);
        callback();
      }
    };
    this.#waiting.add(check);
  }

  #notify(): void {
    for (const check of [...this.#waiting]) {
      check();
    }
  }
}
