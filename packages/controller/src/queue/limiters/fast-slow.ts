import {
  assertOptions,
  integerFrom,
  milliseconds,
  type OptionTable,
} from "@typekube/core/internal";
import { FailureCounts, type RateLimiterFactory } from "./rate-limiter.js";

/** Options of {@link fastSlow}. */
export interface FastSlowOptions {
  /** Milliseconds after each of the first failures. */
  readonly fastMs: number;
  /** Milliseconds after each further failure. */
  readonly slowMs: number;
  /** Number of failures that are followed by the fast delay. */
  readonly maxFast: number;
}

/** Names and checks of {@link FastSlowOptions}. */
const fastSlowOptions: OptionTable<FastSlowOptions> = {
  fastMs: milliseconds,
  maxFast: integerFrom(0),
  slowMs: milliseconds,
};

/**
 * Retries a key quickly a few times, then slowly. (client-go `TypedItemFastSlowRateLimiter`)
 *
 * @throws {KubeError} `InvalidArgument` if an option is invalid.
 */
export function fastSlow(options: FastSlowOptions): RateLimiterFactory {
  assertOptions("fastSlow()", options, fastSlowOptions);
  const { fastMs, slowMs, maxFast } = options;
  return () => {
    const failures = new FailureCounts();
    return {
      delayMs: (key) => (failures.increment(key) <= maxFast ? fastMs : slowMs),
      forget: (key) => failures.forget(key),
      requeues: (key) => failures.of(key),
    };
  };
}
