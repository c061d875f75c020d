import { allowManyListeners } from "./many-listeners.js";

/** Time as the code sees it, so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds since some moment that nobody can set, for how long something took. Default: {@link now}, for clocks whose
   * time of day nobody sets.
   */
  monotonic?(): number;
  /**
   * Calls back after `delayMs`; returns what cancels that.
   *
   * @param isBackground - the program need not stay alive for it. Default false.
   */
  schedule(delayMs: number, callback: () => void, isBackground?: boolean): () => void;
}

/** A number in [0, 1). */
export type Random = () => number;

/** Milliseconds of the longest timer that Node has: it fires a longer one at once. */
export const longestTimerMs: number = 2 ** 31 - 1;

/** The machine's time. A delay may be as long as one likes, `Number.POSITIVE_INFINITY` too. */
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

/** A clock's reading for measuring how long something takes; differences of it are milliseconds. */
export function monotonicNow(clock: Clock): number {
  return clock.monotonic ? clock.monotonic() : clock.now();
}

/** Waits on a clock; fails at once with the signal's reason when it aborts. */
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
