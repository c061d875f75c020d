import {
  amount,
  type Clock,
  monotonicNow,
  type NestedOptions,
  type OptionTable,
  type Random,
} from "@typekube/core/internal";

/** Options of the delay between two attempts. */
export interface BackoffOptions {
  /** Milliseconds before the second attempt. Default 800. */
  readonly initialMs: number;
  /** Maximum of the delay in milliseconds, before jitter. Default 30,000. */
  readonly maxMs: number;
  /** Factor by which the delay grows each time. Default 2. */
  readonly factor: number;
  /** Maximum random extension of each delay, as a share of it. Default 1: up to twice as long. */
  readonly jitter: number;
  /** Milliseconds without a failure after which the next delay is `initialMs` again. Default 120,000. */
  readonly resetAfterMs: number;
}

/** Names and checks of {@link BackoffOptions}: a delay of NaN would be no delay. */
export const backoff: NestedOptions = {
  call: "backoff",
  prefix: "backoff.",
  table: {
    factor: amount,
    initialMs: amount,
    jitter: amount,
    maxMs: amount,
    resetAfterMs: amount,
  } satisfies OptionTable<BackoffOptions>,
};

/** Defaults of client-go's reflector (`tools/cache/reflector.go`). */
export const defaultBackoff: BackoffOptions = {
  initialMs: 800,
  maxMs: 30_000,
  factor: 2,
  jitter: 1,
  resetAfterMs: 120_000,
};

/** Fills in the defaults, also for options that are `undefined`: a delay that is not a number would be no delay. */
export function backoffOptions(given: Partial<BackoffOptions> = {}): BackoffOptions {
  return {
    initialMs: given.initialMs ?? defaultBackoff.initialMs,
    maxMs: given.maxMs ?? defaultBackoff.maxMs,
    factor: given.factor ?? defaultBackoff.factor,
    jitter: given.jitter ?? defaultBackoff.jitter,
    resetAfterMs: given.resetAfterMs ?? defaultBackoff.resetAfterMs,
  };
}

/** Exponential back-off with jitter. It starts over after `resetAfterMs` without a failure, or when it is reset. */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  #delayMs: number;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(options: BackoffOptions, clock: Clock, random: Random) {
    this.#options = options;
    this.#clock = clock;
    this.#random = random;
    this.#delayMs = options.initialMs;
  }

  /** Returns the milliseconds to wait now, and increases the next delay. */
  next(): number {
    const { initialMs, maxMs, factor, jitter, resetAfterMs } = this.#options;
    const now = monotonicNow(this.#clock);
    if (now - this.#lastAt > resetAfterMs) {
      this.#delayMs = initialMs;
    }
    const base = Math.min(this.#delayMs, maxMs);
    this.#delayMs = Math.min(base * factor, maxMs);
    const delayMs = base * (1 + this.#random() * jitter);
    // The time without a failure counts from the end of the wait.
    this.#lastAt = now + delayMs;
    return delayMs;
  }

  /** Resets the next delay to `initialMs`. */
  reset(): void {
    this.#delayMs = this.#options.initialMs;
  }
}
