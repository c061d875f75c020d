import { type Clock, monotonicNow, sleep } from "@typekube/core/internal";

/** Milliseconds between two looks at the clocks. */
const lookMs = 1_000;

/** Shortest step in milliseconds. The time of day counts whole milliseconds: many short steps would sum up its rounding. */
const minStepMs = 100;

/**
 * Time of a process, never less than has really passed: a holder of a lease must not believe that it has more time than it
 * has. The monotonic clock of Linux stands still while the machine is suspended, and the time of day can be set back. So
 * the time is a sum of short steps, and in each the clock counts that moved further.
 *
 * A clock that is set forward makes this time go faster: a lease is lost too early, which is safe. Candidates that wait for
 * a lease to expire measure by the monotonic clock, which is never too fast. Only a time of day that is set back within the
 * step in which the machine was suspended goes unnoticed.
 */
export class PassedTime {
  readonly #clock: Clock;
  /** Both clocks, and this time, at the beginning of the current step. */
  #monotonicMs: number;
  #wallMs: number;
  #passedMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#monotonicMs = monotonicNow(clock);
    this.#wallMs = clock.now();
  }

  /** Returns the milliseconds since an arbitrary moment. */
  now(): number {
    const monotonicMs = monotonicNow(this.#clock);
    const wallMs = this.#clock.now();
    const stepMs = Math.max(monotonicMs - this.#monotonicMs, wallMs - this.#wallMs);
    const nowMs = this.#passedMs + stepMs;
    if (stepMs >= minStepMs) {
      this.#passedMs = nowMs;
      this.#monotonicMs = monotonicMs;
      this.#wallMs = wallMs;
    }
    return nowMs;
  }

  /**
   * Looks at the clocks every second until the signal aborts, so that no step is longer while the process runs. A clock
   * that counts suspensions needs no looks.
   */
  async keep(signal: AbortSignal): Promise<void> {
    if (this.#clock.countsSuspension === true) {
      return;
    }
    while (!signal.aborted) {
      this.now();
      await sleep(this.#clock, lookMs, signal).catch(() => {});
    }
  }
}
