import { allowManyListeners } from "../abort/many-listeners.js";

/** Source of time and timers, which tests can replace. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds since an arbitrary fixed moment, unaffected by changes of the system time. Measures durations.
   * Default: {@link now}, for clocks that are never set.
   */
  monotonic?(): number;
  /**
   * True when {@link monotonic} also counts the time for which the machine is suspended, as a virtual clock does. Default
   * false: the monotonic clock of Linux stands still meanwhile.
   */
  readonly countsSuspension?: boolean | undefined;
  /**
   * Calls `callback` after `delayMs`. Returns a function that cancels the call.
   *
   * @param isBackground - `true` when the timer need not keep the process alive. Default false.
   */
  schedule(delayMs: number, callback: () => void, isBackground?: boolean): () => void;
}

/** Returns a number in [0, 1). */
export type Random = () => number;

/** Longest timer that Node supports, in milliseconds. Node fires a longer one at once. */
export const longestTimerMs: number = 2 ** 31 - 1;

/** The system's clock. Delays may have any length, including `Number.POSITIVE_INFINITY`. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule(delayMs, callback, isBackground = false) {
    let timer: NodeJS.Timeout;
    const arm = (leftMs: number) => {
      timer =
        leftMs > longestTimerMs
          ? setTimeout(() => arm(leftMs - longestTimerMs), longestTimerMs)
          : setTimeout(callback, leftMs);
      if (isBackground) {
        timer.unref();
      }
    };
    arm(delayMs);
    return () => clearTimeout(timer);
  },
};

/** Returns a clock reading for measuring durations; the difference of two readings is in milliseconds. */
export function monotonicNow(clock: Clock): number {
  return clock.monotonic ? clock.monotonic() : clock.now();
}

/** Waits on a clock. Rejects at once with the signal's reason when the signal aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.schedule(delayMs, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    allowManyListeners(signal);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
