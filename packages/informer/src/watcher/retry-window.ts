import type { Clock } from "@typekube/core";

/** Milliseconds without a failure after which the next one opens a new window. (client-go `retryWithDeadline`) */
const quietMs = 60_000;

/** A while in which a failure is retried, counted from the first of a series. */
export class RetryWindow {
  readonly #lengthMs: number;
  readonly #clock: Clock;
  #firstAt = Number.NEGATIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** @param lengthMs - milliseconds; 0 is never open. */
  constructor(lengthMs: number, clock: Clock) {
    this.#lengthMs = lengthMs;
    this.#clock = clock;
  }

  /** Notes a failure and says whether it is to be retried. */
  isOpen(): boolean {
    if (this.#lengthMs <= 0) {
      return false;
    }
    const now = this.#clock.now();
    // A clock that was set back begins a new series too.
    if (now - this.#lastAt >= quietMs || now < this.#lastAt) {
      this.#firstAt = now;
    }
    this.#lastAt = now;
    return now - this.#firstAt <= this.#lengthMs;
  }
}
