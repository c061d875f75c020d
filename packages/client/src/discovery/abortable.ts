import { allowManyListeners } from "@typekube/core/internal";

/** A promise of many, awaited by one who may give up: then it fails with the signal's reason and the others wait on. */
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
