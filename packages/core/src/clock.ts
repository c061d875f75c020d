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
   * Calls back after `delayMs`, or after the longest time that it knows; returns what cancels that.
   *
   * @param isBackground - the program need not stay alive for it. Default false.
   */
  schedule(delayMs: number, callback: () => void, isBackground?: boolean): () => void;
}

/** A number in [0, 1). */
export type Random = () => number;

/** Node's timers fire at once above this: a server that asks for patience of a year would be asked again a thousand times a second. */
const longestTimerMs = 2 ** 31 - 1;

/** The machine's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule(delayMs, callback, isBackground = false) {
    const timer = setTimeout(callback, Math.min(delayMs, longestTimerMs));
    if (isBackground) {
      timer.unref();
    }
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
