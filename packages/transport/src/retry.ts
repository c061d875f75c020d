import type { Interceptor } from "@typekube/core/internal";
import { FailedAttempt, RetriedCall } from "./retried-call.js";
import type { RetryOptions } from "./retry-options.js";

/**
 * Repeats what the server asks to repeat, as client-go: 429 and 5xx with Retry-After, for every method. A read whose connection
 * broke before the answer is sent again at once and once more a little later. A refused connection is not retried here.
 *
 * Waits take what the server asks for or a back-off with full jitter, whichever is longer. A wait that does not fit into the
 * call's time is not begun: the server's own words say more than a deadline of ours.
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
      // Most calls never come here: what p-retry sets up is paid for by those that do.
      return call.repeat(failure);
    }
  };
}
