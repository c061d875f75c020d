import { amount, assertOptions, milliseconds, type OptionTable } from "@typekube/core/internal";
import { FailureCounts, type RateLimiterFactory } from "./rate-limiter.js";

/** Options of {@link exponential}. */
export interface ExponentialOptions {
  /** Milliseconds after the first failure. Default 5. (client-go `DefaultTypedControllerRateLimiter`) */
  readonly baseMs?: number | undefined;
  /** Maximum of the delay in milliseconds, before jitter. Default 1,000,000, which client-go has, too. */
  readonly maxMs?: number | undefined;
  /**
   * Maximum random extension of each delay, as a share of it, so that keys that fail together don't return together.
   * Default 0.2; 0 makes the delays exact, as in client-go.
   */
  readonly jitter?: number | undefined;
}

/** Names and checks of {@link ExponentialOptions}. */
const exponentialOptions: OptionTable<ExponentialOptions> = {
  baseMs: milliseconds,
  jitter: amount,
  maxMs: milliseconds,
};

/**
 * Doubles the delay with each failure of a key: 5, 10, 20 ms and so on, up to 1,000 s.
 *
 * @throws {KubeError} `InvalidArgument` if an option is invalid.
 */
export function exponential(options: ExponentialOptions = {}): RateLimiterFactory {
  assertOptions("exponential()", options, exponentialOptions);
  const { baseMs = 5, maxMs = 1_000_000, jitter = 0.2 } = options;
  return ({ random }) => {
    const failures = new FailureCounts();
    return {
      delayMs(key) {
        // 2 ** 1,024 is Infinity, and so is the product, unless the base is 0.
        const exponent = Math.min(failures.increment(key) - 1, 1_000);
        const delayMs = Math.min(baseMs * 2 ** exponent, maxMs);
        return jitter === 0 ? delayMs : delayMs * (1 + random() * jitter);
      },
      forget: (key) => failures.forget(key),
      requeues: (key) => failures.of(key),
    };
  };
}
