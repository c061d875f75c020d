import { KubeError } from "@typekube/core";
import {
  allowManyListeners,
  type Clock,
  monotonicNow,
  type OptionTable,
} from "@typekube/core/internal";

/** Defaults (client-go's) when `qps` or `burst` is omitted. */
export const rateLimitDefaults = { qps: 5, burst: 10 } as const;

/** Rate of requests that a client may send. */
export interface RateLimitOptions {
  /** Requests per second on average. Default 5; a negative value or Infinity is no limit. */
  readonly qps?: number | undefined;
  /** Requests that may be sent at once after a pause. Default 10. */
  readonly burst?: number | undefined;
}

/** Names of {@link RateLimitOptions}; {@link tokenBucket} checks the values. */
export const rateLimitOptions: OptionTable<RateLimitOptions> = { burst: true, qps: true };

/** Delays requests to limit their rate: {@link tokenBucket}, or a limiter that several clients share. */
export interface RateLimiter {
  /**
   * Takes a turn for one request.
   *
   * @param signal - returns the signal that ends the wait; called only when the request has to wait.
   * @returns `undefined` when the request may be sent at once, else a promise that resolves when it may and rejects
   * with the signal's reason.
   */
  take(signal: () => AbortSignal): Promise<void> | undefined;
}

/** Tokens that count as a whole one: a rate times a time is rarely a whole number. */
const nearlyOne = 1 - 1e-6;

/**
 * Creates a token bucket: full at first, refilled at a steady rate, one token per request. Requests that find it empty
 * wait in order; an aborted one leaves its place to those behind. It uses the clock's monotonic time, so that setting
 * the time of day has no effect.
 *
 * @throws {KubeError} `Config` for a `qps` that is not above 0, or a `burst` below 1.
 */
export function tokenBucket(options: RateLimitOptions, clock: Clock): RateLimiter {
  const { qps = rateLimitDefaults.qps, burst = rateLimitDefaults.burst } = options;
  if (!(qps > 0) || !(burst >= 1)) {
    throw new KubeError(
      "Config",
      "rateLimit: qps must be a number above 0 and burst a number of at least 1",
      {
        hint: "omit rateLimit, or set qps below 0, for no limit",
      },
    );
  }
  /** Functions that release the waiting requests. */
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
      // Timers run on whole milliseconds; the lost fraction counts as tokens for the next request.
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

/** Returns the limiter for these options; `undefined` when they set no limit. */
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
