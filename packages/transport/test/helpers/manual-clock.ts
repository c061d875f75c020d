import type { Clock } from "@typekube/core/internal";

/** A clock that stands still until the test moves it. */
export interface ManualClock extends Clock {
  /** Moves on and calls what is due, in order. */
  advance(ms: number): void;
  /** Sets the time of day forward or back, as an administrator does: no timer minds. */
  jump(ms: number): void;
  /** Timers that are set. */
  readonly pending: number;
}

/** Starts at 1,000,000 so that a forgotten zero shows. */
export function manualClock(): ManualClock {
  let now = 1_000_000;
  let jumped = 0;
  const timers = new Set<{ at: number; callback: () => void }>();
  return {
    now: () => now + jumped,
    monotonic: () => now,
    jump(ms) {
      jumped += ms;
    },
    schedule(delayMs, callback) {
      const timer = { at: now + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = [...timers].filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) {
          break;
        }
        timers.delete(due);
        now = due.at;
        due.callback();
      }
      now = end;
    },
    get pending() {
      return timers.size;
    },
  };
}
