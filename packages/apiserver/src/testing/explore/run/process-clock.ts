import type { Clock } from "@typekube/core/internal";

/** Timers that fire within one millisecond, of one process, until they count as a loop without end. */
export const mostTimersAtOnce = 2_000;
/** The same until they count as a loop: it may wait for something that time would bring. */
export const loopTimers = 10;

/** The clock of one process of an operator: it can stand still, jump, and end with its process. */
export interface ProcessClock extends Clock {
  /** Number of timers that have not fired yet. */
  readonly pending: number;
  /** Adds to the wall clock. Timers and {@link Clock.monotonic} don't notice. */
  jump(ms: number): void;
  /** Holds timers back. */
  pause(): void;
  /** Fires the timers that were held back. */
  resume(): void;
  /** Cancels all timers, for good. */
  end(): void;
}

/** Observers of a {@link ProcessClock}. */
export interface ClockHooks {
  /** Called with what a timer throws, which ends a process of Node. Default: ignored. */
  readonly onError?: (error: unknown) => void;
  /**
   * Called before a timer fires.
   *
   * @param atOnce - number of timers that have fired within the last millisecond of the run's clock, with this one.
   */
  readonly onTimer?: (atOnce: number) => void;
}

/** Creates the clock of a process on the clock of its run. */
export function createProcessClock(
  clock: Clock,
  { onError, onTimer }: ClockHooks = {},
): ProcessClock {
  const timers = new Set<() => void>();
  let held: (() => void)[] = [];
  let isPaused = false;
  let isOver = false;
  let offset = 0;
  let atOnce = 0;
  let firstMs = Number.NEGATIVE_INFINITY;
  const count = () => {
    const now = clock.now();
    if (now - firstMs >= 1) {
      firstMs = now;
      atOnce = 0;
    }
    atOnce += 1;
    onTimer?.(atOnce);
  };
  return {
    now: () => clock.now() + offset,
    monotonic: () => clock.now(),
    countsSuspension: true,
    schedule(delayMs, callback) {
      if (isOver) {
        return () => {};
      }
      let isCancelled = false;
      const cancel = () => {
        isCancelled = true;
        timers.delete(cancel);
        forget();
      };
      const fire = () => {
        if (isPaused) {
          held.push(fire);
        } else if (!isCancelled) {
          timers.delete(cancel);
          count();
          if (isOver) {
            return;
          }
          try {
            callback();
          } catch (error) {
            onError?.(error);
          }
        }
      };
      const forget = clock.schedule(delayMs, fire);
      timers.add(cancel);
      return cancel;
    },
    get pending() {
      return timers.size;
    },
    jump(ms) {
      offset += ms;
    },
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      const due = held;
      held = [];
      for (const fire of due) {
        fire();
      }
    },
    end() {
      isOver = true;
      held = [];
      for (const cancel of [...timers]) {
        cancel();
      }
    },
  };
}
