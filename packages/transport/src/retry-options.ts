import type { Clock, Random } from "@typekube/core/internal";
import type { RateLimiter } from "./rate-limit.js";

/** When requests are repeated. */
export interface RetryOptions {
  /** Repetitions of one call; 0 is none. Of reads whose connection broke there are at most two. */
  readonly maxRetries: number;
  /** Milliseconds for a whole call where the call says nothing: waiting is part of it. 0 is no limit. */
  readonly timeoutMs: number;
  /** Milliseconds until an attempt must have its headers. A read that has none by then is repeated. Default 0: no limit of its own. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Milliseconds until the headers of an answer must be there, for calls that name no time. Default 0: no limit. */
  readonly headersTimeoutMs?: number | undefined;
  /** Whose turn each attempt waits for; the first one of a stream does not. */
  readonly limiter?: RateLimiter | undefined;
  readonly clock: Clock;
  /** Default `Math.random`. */
  readonly random?: Random | undefined;
  /** Aborts when the transport is closed; waits end with it. */
  readonly closing?: AbortSignal | undefined;
}
