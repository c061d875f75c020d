/** Work that many wait for. */
export interface SharedRun<T> {
  /** Waits for it; fails with the signal's reason when that aborts first. */
  join(signal?: AbortSignal): Promise<T>;
}

/**
 * Starts work at once and ends it when nobody waits for it any more.
 *
 * @param work - gets the signal that ends it.
 * @param onOver - called when nobody shall join any more, before anybody who waits hears of the end.
 */
export function sharedRun<T>(
  work: (signal: AbortSignal) => Promise<T>,
  onOver: () => void,
): SharedRun<T> {
  const controller = new AbortController();
  let waiting = 0;
  const result = work(controller.signal).finally(onOver);
  // Whoever waits hears of it.
  result.catch(() => {});
  const join = (signal?: AbortSignal): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting += 1;
      const onAbort = () => {
        waiting -= 1;
        if (waiting === 0) {
          onOver();
          controller.abort(signal?.reason);
        }
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      result.finally(() => signal?.removeEventListener("abort", onAbort)).then(resolve, reject);
    });
  return { join };
}
