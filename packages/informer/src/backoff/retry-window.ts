import { type Clock, monotonicNow } from "@typekube/core/internal";

/** Milliseconds without a failure after which the next one opens a new window. (client-go `retryWithDeadline`) */
const quietMs = 60_000;

/** A time window in which failures are retried, counted from the first of a series. */
export class RetryWindow {
  readonly #lengthMs: number;
  readonly #clock: Clock;
  #firstAt = Number.NEGATIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** @param lengthMs - length in milliseconds; 0 is never open. */
  constructor(lengthMs: number, clock: Clock) {
    this.#lengthMs = lengthMs;
    this.#clock = clock;
  }

  /** Records a failure and returns true when it should be retried. */
  isOpen(): boolean {
    if (this.#lengthMs <= 0) {
      return false;
    }
    const now = monotonicNow(this.#clock);
    if (now - this.#lastAt >= quietMs) {
      this.#firstAt = now;
    }
    this.#lastAt = now;
    return now - this.#firstAt <= this.#lengthMs;
  }
}
