import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";

// Captured at load time, so that fake timers of a test framework don't stop this clock.
const { setImmediate } = globalThis;

/** A clock that moves only when it is advanced. */
export interface VirtualClock extends Clock {
  /**
   * Advances the clock. Every due timer fires at its time, in order, and the promise chains that it starts run before
   * the next one fires. `0` fires timers that are already due.
   *
   * @throws {KubeError} `InvalidArgument` for a negative or non-finite number: time does not go backwards.
   */
  advance(milliseconds: number): Promise<void>;
  /** Number of pending timers. */
  readonly pending: number;
  /** Time at which the next timer fires, in milliseconds since the epoch; `undefined` without timers. */
  readonly nextTimer: number | undefined;
}

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

const made = new WeakSet<object>();

/** Returns whether a clock was created by {@link createVirtualClock}. */
export function isMadeVirtual(clock: object): boolean {
  return made.has(clock);
}

/** Creates a clock that is stopped at `start` (milliseconds since the epoch). */
export function createVirtualClock(start: number = Date.UTC(2026, 0, 1)): VirtualClock {
  const timers = new Set<Timer>();
  let now = start;
  let order = 0;
  const clock: VirtualClock = {
    now: () => now,
    countsSuspension: true,
    schedule(delayMs, callback) {
      const timer: Timer = { due: now + Math.max(0, delayMs), order: order++, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(milliseconds) {
      if (!(milliseconds >= 0 && milliseconds < Number.POSITIVE_INFINITY)) {
        throw new KubeError("InvalidArgument", `the clock cannot advance by ${milliseconds} ms`);
      }
      const end = now + milliseconds;
      await settle();
      for (let timer = next(timers, end); timer !== undefined; timer = next(timers, end)) {
        timers.delete(timer);
        now = Math.max(now, timer.due);
        timer.callback();
        await settle();
      }
      // Another call of advance(), such as one from a timer, may have moved the clock further.
      now = Math.max(now, end);
    },
    get pending() {
      return timers.size;
    },
    get nextTimer() {
      return next(timers, Number.POSITIVE_INFINITY)?.due;
    },
  };
  made.add(clock);
  return clock;
}

function next(timers: ReadonlySet<Timer>, end: number): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) {
    const earlier =
      first === undefined ||
      timer.due < first.due ||
      (timer.due === first.due && timer.order < first.order);
    if (timer.due <= end && earlier) {
      first = timer;
    }
  }
  return first;
}

/** Runs promise chains and the callbacks that they queue. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
