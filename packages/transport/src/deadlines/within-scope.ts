import type { CallScope, HttpRequest } from "@typekube/core/internal";
import { isLimit, shorter } from "./deadline.js";

/**
 * Returns an attempt with the timeout that its scope allows. A call without a timeout keeps the shorter limit of its
 * headers.
 *
 * @param defaults - timeouts of calls that have none of their own; 0 is no limit.
 */
export function withinScope(
  request: HttpRequest,
  scope: CallScope | undefined,
  defaults: { readonly headersTimeoutMs: number; readonly timeoutMs: number },
): HttpRequest {
  const givenMs = scope?.maxAttemptMs?.();
  if (givenMs === undefined) {
    return request;
  }
  // 0 would be no limit.
  const maxMs = Math.max(1, Math.ceil(givenMs));
  const headersMs = request.timeoutMs === undefined ? defaults.headersTimeoutMs : 0;
  const totalMs = request.timeoutMs ?? (request.mode === "call" ? defaults.timeoutMs : 0);
  return isLimit(maxMs)
    ? {
        ...request,
        headersTimeoutMs: shorter(request.headersTimeoutMs ?? 0, headersMs),
        timeoutMs: shorter(maxMs, totalMs),
      }
    : request;
}
