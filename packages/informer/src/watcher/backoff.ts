import { type Clock, monotonicNow, type Random } from "@typekube/core/internal";

/** How long to wait between two tries. */
export interface BackoffOptions {
  /** Milliseconds before the second try. Default 800. */
  readonly initialMs: number;
  /** Milliseconds that the delay grows to, before jitter. Default 30,000. */
  readonly maxMs: number;
  /** What the delay is multiplied by each time. Default 2. */
  readonly factor: number;
  /** Each delay is stretched by a random share of itself up to this. Default 1: up to twice as long. */
  readonly jitter: number;
  /** Milliseconds without a failure after which the next delay is the first again. Default 120,000. */
  readonly resetAfterMs: number;
}

/** The numbers of client-go's reflector (`tools/cache/reflector.go`). */
export const defaultBackoff: BackoffOptions = {
  initialMs: 800,
  maxMs: 30_000,
  factor: 2,
  jitter: 1,
  resetAfterMs: 120_000,
};

/** Fills in what is not given. An option that is `undefined` is not given; a delay that is no number would be none at all. */
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

  /** The milliseconds to wait now; the next call gives more. */
  next(): number {
    const { initialMs, maxMs, factor, jitter, resetAfterMs } = this.#options;
    const now = monotonicNow(this.#clock);
    if (now - this.#lastAt > resetAfterMs) {
      this.#delayMs = initialMs;
    }
    const base = Math.min(this.#delayMs, maxMs);
    this.#delayMs = Math.min(base * factor, maxMs);
    const delayMs = base * (1 + this.#random() * jitter);
    // The good while is counted from the end of the wait.
    this.#lastAt = now + delayMs;
    return delayMs;
  }

  /** Makes the next delay the first again. */
  reset(): void {
    this.#delayMs = this.#options.initialMs;
  }
}
