import type { Clock, Random } from "@typekube/core/internal";

/** Decides the delays of a queue's retries. */
export interface RateLimiter {
  /** Counts a failure of a key and returns the milliseconds to wait before its next run. */
  delayMs(key: string): number;
  /** Forgets the failures of a key. */
  forget(key: string): void;
  /** Returns the counted failures of a key. */
  requeues(key: string): number;
}

/** Time and randomness of a {@link RateLimiter}. */
export interface RateLimiterContext {
  readonly clock: Clock;
  readonly random: Random;
}

/** Describes a rate limiter. Each queue creates its own from it, so one description may serve several controllers. */
export type RateLimiterFactory = (context: RateLimiterContext) => RateLimiter;

/** Counts failures per key; holds only keys that have failures. */
export class FailureCounts {
  readonly #failures = new Map<string, number>();

  /** Counts a failure and returns the new number. */
  increment(key: string): number {
    const count = this.of(key) + 1;
    this.#failures.set(key, count);
    return count;
  }

  of(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}
