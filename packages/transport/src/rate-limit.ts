import { KubeError } from "@typekube/core";
import { allowManyListeners, type Clock, monotonicNow } from "@typekube/core/internal";

/** client-go's numbers, for who asks for a limit without naming one. */
export const rateLimitDefaults = { qps: 5, burst: 10 } as const;

/** How many requests a client sends. */
export interface RateLimitOptions {
  /** Requests per second in the long run. Default 5; less than 0 and Infinity are no limit. */
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

/** A token counts as whole from here on: a rate times a time is hardly ever a whole number. */
const nearlyOne = 1 - 1e-6;

/**
 * A bucket of tokens: full at first, filled at a steady rate, a token per request. Whoever finds it empty waits in the order
 * of coming; who gives up leaves its place to those behind. It goes by the clock's monotonic reading, so that nothing changes when
 * the time of day is set.
 *
 * @throws {KubeError} `Config` for a rate or a burst that is no number of requests.
 */
export function tokenBucket(options: RateLimitOptions, clock: Clock): RateLimiter {
  const { qps = rateLimitDefaults.qps, burst = rateLimitDefaults.burst } = options;
  if (!(qps > 0) || !(burst >= 1)) {
    throw new KubeError("Config", "rateLimit needs a qps above 0 and a burst of 1 or more", {
      hint: "omit rateLimit, or set qps below 0, for no limit",
    });
  }
  /** What lets each of them go. */
  const waiting = new Set<() => void>();
  let tokens = burst;
  let filledAt = monotonicNow(clock);
  let cancelTimer: (() => void) | undefined;

  const fill = (): void => {
    const now = monotonicNow(clock);
    tokens += ((now - filledAt) * qps) / 1000;
    filledAt = now;
    if (waiting.size === 0) {
      tokens = Math.min(burst, tokens);
    }
  };
  const serve = (): void => {
    cancelTimer = undefined;
    fill();
    for (const go of waiting) {
      if (tokens < nearlyOne) {
        break;
      }
      tokens -= 1;
      waiting.delete(go);
      go();
    }
    arm();
  };
  const arm = (): void => {
    if (waiting.size > 0) {
      // Timers have whole milliseconds; what one is late by is in the tokens of the next.
      cancelTimer ??= clock.schedule(Math.max(1, Math.ceil(((1 - tokens) * 1000) / qps)), serve);
    }
  };
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const go = () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      const onAbort = () => {
        waiting.delete(go);
        if (waiting.size === 0) {
          cancelTimer?.();
          cancelTimer = undefined;
        }
        reject(signal.reason);
      };
      allowManyListeners(signal);
      signal.addEventListener("abort", onAbort, { once: true });
      waiting.add(go);
      arm();
    });

  return {
    take(signal) {
      fill();
      if (waiting.size > 0 || tokens < nearlyOne) {
        return turn(signal());
      }
      tokens -= 1;
      return undefined;
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
  const { qps = rateLimitDefaults.qps } = options;
  return qps < 0 || qps === Number.POSITIVE_INFINITY ? undefined : tokenBucket(options, clock);
}
