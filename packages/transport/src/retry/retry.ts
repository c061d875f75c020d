import type { Interceptor } from "@typekube/core/internal";
import { FailedAttempt, RetriedCall } from "./retried-call.js";
import type { RetryOptions } from "./retry-options.js";

/**
 * Retries what the server requests, as client-go does: 429 and 5xx with Retry-After, for every method. A read whose
 * connection broke before the response is retried at once, and once more a little later. A refused connection is not
 * retried here.
 *
 * The delay is the server's or a back-off with full jitter, whichever is longer. When the delay does not fit into the
 * call's time, the call ends at once with the server's response, which says more than a deadline error of ours.
 */
export function retry(options: RetryOptions): Interceptor {
  return (next) => async (request) => {
    const call = new RetriedCall(next, request, options);
    try {
      return await call.attempt(1);
    } catch (failure) {
      if (!(failure instanceof FailedAttempt)) {
        throw failure;
      }
      // Most calls never get here, so only retried calls pay for setting up p-retry.
      return call.repeat(failure);
    }
  };
}
