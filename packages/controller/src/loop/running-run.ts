import { KubeError } from "@typekube/core";
import type { CallScope, Clock, Random, ScopedWrite } from "@typekube/core/internal";
import type { CausedKey } from "../queue/caused-queue.js";
import { causeList, type RunCauses, type StoredCauses } from "../run/causes.js";
import type { Attempt } from "../run/create-run.js";
import type { TracedRun } from "../trace/trace-run.js";
import type { ObservedRun } from "./loop-observer.js";
import type { RunTarget } from "./run-once.js";

/** Checks that a fence adds to every call of a run. */
export type Fencing = Pick<CallScope, "beforeAttempt" | "beforeSend" | "maxAttemptMs">;

/** Values and functions that the runs of a loop share. */
export interface RunHost {
  readonly controller: string;
  /** Attempts after which a key is left alone. */
  readonly maxAttempts: number;
  readonly random: Random;
  /** Receives the writes of a run. */
  written(key: string, write: ScopedWrite): void;
  /** Receives the reason of a promise that a run did not await. */
  floating(key: string, reason: unknown): void;
}

/**
 * A run in progress: its signal, made when it is first used, the scope of its calls, and what observers learn. One class
 * without further objects, for speed: there may be some hundred thousand runs a second.
 */
export class RunningRun implements Attempt, CallScope, ObservedRun, RunTarget {
  readonly key: string;
  readonly priority: number;
  readonly waitedMs: number;
  readonly attempt: number;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** Decisions about changes that came during the run. */
  deferred: (() => void)[] | undefined;
  /** `true` when it ignored its signal and no longer counts as one of the runs at once. */
  isAbandoned = false;
  isTimedOut = false;
  /** Set when diagnostics are subscribed to. */
  trace: TracedRun | undefined;
  readonly #host: RunHost;
  readonly #causes: StoredCauses;
  readonly #fence: Fencing | undefined;
  #abort: AbortController | undefined;
  #reason: unknown;
  #cancelTimeout: (() => void) | undefined;

  constructor(
    taken: CausedKey,
    attempt: number,
    startedAt: number,
    host: RunHost,
    fence: Fencing | undefined,
  ) {
    this.key = taken.key;
    this.priority = taken.priority;
    this.waitedMs = taken.waitedMs;
    this.attempt = attempt;
    this.startedAt = startedAt;
    this.#causes = taken.causes;
    this.#host = host;
    this.#fence = fence;
  }

  get controller(): string {
    return this.#host.controller;
  }

  get isLastAttempt(): boolean {
    return this.attempt >= this.#host.maxAttempts;
  }

  get causes(): RunCauses {
    return { forDebug: causeList(this.#causes) };
  }

  get random(): Random {
    return this.#host.random;
  }

  get reconcileId(): string | undefined {
    return this.trace?.reconcileId;
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
    return this.#host.controller;
  }

  get userAgentSuffix(): string {
    return `/${this.#host.controller}`;
  }

  onWrite(write: ScopedWrite): void {
    this.#host.written(this.key, write);
  }

  /** Reports a promise that the run did not await and that was rejected. */
  onFloating(reason: unknown): void {
    this.#host.floating(this.key, reason);
  }

  /** Refuses a request of a run that was aborted, or whose leadership was lost. */
  beforeAttempt(request: Parameters<NonNullable<CallScope["beforeAttempt"]>>[0]): void {
    this.#fence?.beforeAttempt?.(request);
    if (this.#reason !== undefined) {
      throw this.#reason;
    }
  }

  beforeSend(request: Parameters<NonNullable<CallScope["beforeSend"]>>[0]): void {
    this.#fence?.beforeSend?.(request);
  }

  get maxAttemptMs(): CallScope["maxAttemptMs"] {
    return this.#fence?.maxAttemptMs;
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
