import type { Clock } from "@typekube/core/internal";

/** A clock that moves only when the test advances it. */
export interface ManualClock extends Clock {
  /** Advances the clock and runs the timers that are due, in order. */
  advance(ms: number): void;
  /** Sets the time of day forward or back, as an administrator does; timers are unaffected. */
  jump(ms: number): void;
  /** Number of pending timers. */
  readonly pending: number;
}

/** Creates a clock that starts at 1,000,000, so that a forgotten zero is noticed. */
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
