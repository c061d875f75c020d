import { type Clock, KubeError, monotonicNow, sleep } from "@typekube/core";

/** client-go's numbers, for who asks for a limit without naming one. */
export const rateLimitDefaults = { qps: 5, burst: 10 } as const;

/** How many requests a client sends. */
export interface RateLimitOptions {
  /** Requests per second in the long run. Default 5; less than 0 is no limit. */
  readonly qps?: number | undefined;
  /** Requests that may go at once after a pause. Default 10. */
  readonly burst?: number | undefined;
}

/** Whoever lets requests go: {@link tokenBucket}, or one that several clients share. */
export interface RateLimiter {
  /**
   * Takes the turn of one request.
   *
   * @param signal - gives the signal that ends the wait; asked for only by who has to wait.
   * @returns nothing when the request may go at once, else a promise that resolves when it may and fails with the signal's reason.
   */
  take(signal: () => AbortSignal): Promise<void> | undefined;
}

/**
 * A bucket of tokens: full at first, filled at a steady rate, a token per request. Whoever finds it empty waits in the order
 * of coming. It goes by the clock's monotonic reading, so that nothing changes when the time of day is set.
 *
 * @throws {KubeError} `Config` for a rate or a burst that is no number of requests.
 */
export function tokenBucket(options: RateLimitOptions, clock: Clock): RateLimiter {
  const { qps = rateLimitDefaults.qps, burst = rateLimitDefaults.burst } = options;
  if (!(qps > 0) || !(burst >= 1)) {
    throw new KubeError("Config", "rateLimit needs a qps above 0 and a burst of 1 or more", {
      hint: "leave rateLimit out, or give a qps below 0, for no limit",
    });
  }
  let tokens = burst;
  let filledAt = monotonicNow(clock);
  return {
    take(signal) {
      const now = monotonicNow(clock);
      tokens = Math.min(burst, tokens + ((now - filledAt) * qps) / 1000);
      filledAt = now;
      tokens -= 1;
      if (tokens >= 0) {
        return undefined;
      }
      return sleep(clock, (-tokens * 1000) / qps, signal()).catch((reason: unknown) => {
        // Who gave up did not use its token.
        tokens += 1;
        throw reason;
      });
    },
  };
}

/** The limiter that options stand for; none where they name none. */
export function rateLimiterOf(
  options: RateLimitOptions | RateLimiter | undefined,
  clock: Clock,
): RateLimiter | undefined {
  if (options === undefined || "take" in options) {
    return options;
  }
  return (options.qps ?? 0) < 0 ? undefined : tokenBucket(options, clock);
}
