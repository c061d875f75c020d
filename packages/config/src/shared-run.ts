/** Begins work, or joins that which is under way. */
export type JoinRun<T, Why> = (why: Why, signal: AbortSignal | undefined) => Promise<T>;

/**
 * Work that is done once for everybody who asks while it is under way.
 *
 * @param work - gets why the first one asked, and a signal that ends it when nobody waits any more.
 * @param goesOn - it does not end then: what it spends cannot be spent again. Default false.
 */
export function oneRunAtATime<T, Why>(
  work: (why: Why, signal: AbortSignal) => Promise<T>,
  goesOn = false,
): JoinRun<T, Why> {
  let running: SharedRun<T> | undefined;
  return (why, signal) => {
    if (signal?.aborted) {
      return Promise.reject(signal.reason);
    }
    if (!running) {
      const begun: SharedRun<T> = sharedRun(
        (ending) => work(why, ending),
        () => {
          if (running === begun) {
            running = undefined;
          }
        },
        goesOn,
      );
      running = begun;
    }
    return running.join(signal);
  };
}

/** Work that many wait for. */
interface SharedRun<T> {
  /** Waits for it; fails with the signal's reason when that aborts first. */
  join(signal?: AbortSignal): Promise<T>;
}

/**
 * Starts work at once and ends it when nobody waits for it any more, unless it goes on.
 *
 * @param work - gets the signal that ends it.
 * @param onOver - called when nobody shall join any more, before anybody who waits hears of the end.
 */
function sharedRun<T>(
  work: (signal: AbortSignal) => Promise<T>,
  onOver: () => void,
  goesOn: boolean,
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
        if (waiting === 0 && !goesOn) {
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
