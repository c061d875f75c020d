/** Begins work, or joins that which is under way. */
export type JoinRun<T, Why> = (why: Why, signal: AbortSignal | undefined) => Promise<T>;

/** Those who wait for work, as the work sees them. */
export interface Waiters {
  /** Ends the work when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Calls back with whether anybody waits, at once and when that changes: work that goes on for nobody holds no process. */
  onChange(tell: (isWaitedFor: boolean) => void): void;
}

/**
 * Work that is done once for everybody who asks while it is under way.
 *
 * @param work - gets why the first one asked, and who waits.
 * @param goesOn - whether it goes on, for whoever comes next, when the last who waits leaves for this reason. Default: it ends.
 */
export function oneRunAtATime<T, Why>(
  work: (why: Why, waiters: Waiters) => Promise<T>,
  goesOn: (reason: unknown) => boolean = () => false,
): JoinRun<T, Why> {
  let running: SharedRun<T> | undefined;
  return (why, signal) => {
    if (signal?.aborted) {
      return Promise.reject(signal.reason);
    }
    if (!running) {
      const begun: SharedRun<T> = sharedRun(
        (waiters) => work(why, waiters),
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
 * @param onOver - called when nobody shall join any more, before anybody who waits hears of the end.
 */
function sharedRun<T>(
  work: (waiters: Waiters) => Promise<T>,
  onOver: () => void,
  goesOn: (reason: unknown) => boolean,
): SharedRun<T> {
  const controller = new AbortController();
  let waiting = 0;
  let tell = (_isWaitedFor: boolean): void => {};
  const waiters: Waiters = {
    signal: controller.signal,
    onChange(callback) {
      tell = callback;
      tell(waiting > 0);
    },
  };
  const result = work(waiters).finally(onOver);
  // Whoever waits hears of it.
  result.catch(() => {});
  const leave = (reason: unknown): void => {
    waiting -= 1;
    if (waiting > 0) {
      return;
    }
    if (goesOn(reason)) {
      tell(false);
    } else {
      onOver();
      controller.abort(reason);
    }
  };
  const join = (signal?: AbortSignal): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting += 1;
      if (waiting === 1) {
        tell(true);
      }
      const onAbort = () => {
        leave(signal?.reason);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      result.finally(() => signal?.removeEventListener("abort", onAbort)).then(resolve, reject);
    });
  return { join };
}
