import { allowManyListeners } from "@typekube/core/internal";

/**
 * Awaits a shared promise on behalf of one caller. When this caller's signal aborts, the returned promise rejects with
 * the signal's reason; the other callers keep waiting.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) {
    return promise;
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    allowManyListeners(signal);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
