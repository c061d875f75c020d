import type { Clock } from "@typekube/core/internal";

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

/**
 * Creates the clock of a process on the clock of its run.
 *
 * @param onError - called with what a timer throws, which ends a process of Node.
 */
export function createProcessClock(
  clock: Clock,
  onError: (error: unknown) => void = () => {},
): ProcessClock {
  const timers = new Set<() => void>();
  let held: (() => void)[] = [];
  let isPaused = false;
  let isOver = false;
  let offset = 0;
  return {
    now: () => clock.now() + offset,
    monotonic: () => clock.now(),
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
          try {
            callback();
          } catch (error) {
            onError(error);
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
