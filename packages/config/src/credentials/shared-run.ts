/** Starts a run, or joins the one in progress. */
export type JoinRun<T, Why> = (why: Why, signal: AbortSignal | undefined) => Promise<T>;

/** The callers that wait for a run, as seen by its work. */
export interface Waiters {
  /** Aborts when no caller waits any more. */
  readonly signal: AbortSignal;
  /**
   * Calls back with whether a caller waits, at once and on each change: work that continues without a caller must not
   * keep the process alive.
   */
  onChange(tell: (isWaitedFor: boolean) => void): void;
}

/**
 * Shares one run of work among all callers that request it while it is in progress.
 *
 * @param work - gets the first caller's reason, and the waiting callers.
 * @param goesOn - returns true when the run continues for later callers although the last waiting one left for this
 * reason. Default: the run is aborted.
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

/** A run that several callers wait for. */
interface SharedRun<T> {
  /** Waits for the run; rejects with the signal's reason when that aborts first. */
  join(signal?: AbortSignal): Promise<T>;
}

/**
 * Starts work at once, and aborts it when no caller waits any more, unless `goesOn` returns true.
 *
 * @param onOver - called when callers must no longer join, before those that wait get the result.
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
  // Callers get the error through join().
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
