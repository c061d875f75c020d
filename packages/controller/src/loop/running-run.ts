import { KubeError } from "@typekube/core";
import { type CallScope, type Clock, monotonicNow } from "@typekube/core/internal";
import type { RunTarget } from "./run-once.js";

/** Checks that a fence adds to every call of a run. */
export type Fencing = Pick<CallScope, "beforeAttempt" | "beforeSend" | "maxAttemptMs">;

/** Parts of the scope that every call in a run carries. */
export interface RunScope {
  readonly fieldManager: string;
  readonly fence: Fencing | undefined;
  readonly dryRun?: "All" | undefined;
  readonly onWrite: NonNullable<CallScope["onWrite"]>;
  /** Receives the reason of a promise that the run did not await. */
  readonly onFloating: (reason: unknown) => void;
}

/**
 * A run that is going on: its signal, made when it is first used, and the scope of its calls. A class for speed: there
 * may be a hundred thousand a second.
 */
export class RunningRun implements CallScope, RunTarget {
  readonly key: string;
  readonly priority: number;
  readonly waitedMs: number;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  readonly #scope: RunScope;
  #abort: AbortController | undefined;
  #reason: unknown;
  #cancelTimeout: (() => void) | undefined;
  /** Decisions about changes that came during the run. */
  deferred: (() => void)[] | undefined;
  /** `true` when it ignored its signal and no longer counts as one of the runs at once. */
  isAbandoned = false;
  isTimedOut = false;

  constructor(
    taken: { readonly key: string; readonly priority: number; readonly waitedMs: number },
    scope: RunScope,
    clock: Clock,
  ) {
    this.key = taken.key;
    this.priority = taken.priority;
    this.waitedMs = taken.waitedMs;
    this.startedAt = monotonicNow(clock);
    this.#scope = scope;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#reason !== undefined) {
        this.#abort.abort(this.#reason);
      }
    }
    return this.#abort.signal;
  }

  get fieldManager(): string {
    return this.#scope.fieldManager;
  }

  get userAgentSuffix(): string {
    return `/${this.#scope.fieldManager}`;
  }

  get dryRun(): "All" | undefined {
    return this.#scope.dryRun;
  }

  get onWrite(): CallScope["onWrite"] {
    return this.#scope.onWrite;
  }

  /** Reports a promise that the run did not await and that was rejected. */
  onFloating(reason: unknown): void {
    this.#scope.onFloating(reason);
  }

  /** Refuses a request of a run that was aborted, or whose leadership was lost. */
  readonly beforeAttempt: NonNullable<CallScope["beforeAttempt"]> = (request) => {
    this.#scope.fence?.beforeAttempt?.(request);
    if (this.#reason !== undefined) {
      throw this.#reason;
    }
  };

  get beforeSend(): CallScope["beforeSend"] {
    return this.#scope.fence?.beforeSend;
  }

  get maxAttemptMs(): CallScope["maxAttemptMs"] {
    return this.#scope.fence?.maxAttemptMs;
  }

  /** `true` once the run was aborted. */
  get isAborted(): boolean {
    return this.#reason !== undefined;
  }

  /** Aborts the run. The first reason stays. */
  abort(reason: unknown): void {
    if (this.#reason === undefined) {
      this.#reason = reason;
      this.#abort?.abort(reason);
    }
  }

  /**
   * Aborts the run after some time.
   *
   * @param onTimeout - called then.
   */
  limit(clock: Clock, timeoutMs: number, onTimeout: () => void): void {
    this.#cancelTimeout = clock.schedule(timeoutMs, () => {
      this.isTimedOut = true;
      this.abort(new KubeError("DeadlineExceeded", `reconcile timeout: ${timeoutMs} ms are over`));
      onTimeout();
    });
  }

  /** Ends the timer. */
  end(): void {
    this.#cancelTimeout?.();
  }
}
