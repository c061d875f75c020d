import { KubeError } from "@typekube/core";
import { monotonicNow } from "@typekube/core/internal";
import type { RateLimiterFactory } from "./rate-limiter.js";

/**
 * Limits the retries of all keys together: `burst` of them at once, then `perSecond`. It counts no failures of single
 * keys, so combine it with another limiter by `maxOf()`. (client-go `TypedBucketRateLimiter`, golang.org/x/time/rate)
 *
 * @throws {KubeError} `InvalidArgument` unless `perSecond` is a number above 0 and `burst` an integer of at least 1.
 */
export function bucket(perSecond: number, burst: number): RateLimiterFactory {
  if (!(Number.isFinite(perSecond) && perSecond > 0 && Number.isInteger(burst) && burst >= 1)) {
    throw new KubeError(
      "InvalidArgument",
      `bucket(${perSecond}, ${burst}): must be a number above 0 and an integer of at least 1`,
      { hint: "such as bucket(10, 100) for 10 retries per second after the first 100" },
    );
  }
  return ({ clock }) => {
    let tokens = burst;
    let filledAtMs = monotonicNow(clock);
    return {
      delayMs() {
        const nowMs = monotonicNow(clock);
        tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) * perSecond) / 1000) - 1;
        filledAtMs = nowMs;
        return tokens >= 0 ? 0 : (-tokens * 1000) / perSecond;
      },
      forget() {},
      requeues: () => 0,
    };
  };
}
