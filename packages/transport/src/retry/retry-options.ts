import type { Clock, Random } from "@typekube/core/internal";
import type { RateLimiter } from "./rate-limit.js";

/** Options for retries. */
export interface RetryOptions {
  /** Maximum number of retries of one call; 0 disables them. At most two of them follow broken connections. */
  readonly maxRetries: number;
  /** Milliseconds for a whole call without a timeout of its own, waiting included. 0 is no limit. */
  readonly timeoutMs: number;
  /**
   * Milliseconds until an attempt must have its response headers; a read without them is retried. Default 0: no
   * separate limit.
   */
  readonly attemptTimeoutMs?: number | undefined;
  /** Milliseconds until the response headers must arrive, for calls without a timeout. Default 0: no limit. */
  readonly headersTimeoutMs?: number | undefined;
  /** Rate limiter for each attempt, except the first one of a stream. */
  readonly limiter?: RateLimiter | undefined;
  readonly clock: Clock;
  /** Random numbers for the jitter. Default `Math.random`. */
  readonly random?: Random | undefined;
  /** Aborts when the transport is closed, which ends waits. */
  readonly closing?: AbortSignal | undefined;
}
