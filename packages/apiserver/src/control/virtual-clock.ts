import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";

// Taken once, so that a test framework that fakes timers does not stop this clock.
const { setImmediate } = globalThis;

/** Time that stands still until it is told to go on. */
export interface VirtualClock extends Clock {
  /**
   * Lets time pass: every timer that falls due fires at its moment, in order, and what it sets off in promises
   * runs before the next one fires. `0` lets what is due happen.
   *
   * @throws {KubeError} `InvalidArgument` for a time that is negative or no finite number: time does not go back.
   */
  advance(milliseconds: number): Promise<void>;
  /** How many timers wait. */
  readonly pending: number;
}

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

const made = new WeakSet<object>();

/** Whether a clock came from {@link createVirtualClock}. */
export function isMadeVirtual(clock: object): boolean {
  return made.has(clock);
}

/** Creates a clock that stands at `start` (milliseconds since the epoch). */
export function createVirtualClock(start: number = Date.UTC(2026, 0, 1)): VirtualClock {
  const timers = new Set<Timer>();
  let now = start;
  let order = 0;
  const clock: VirtualClock = {
    now: () => now,
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
      // Another who lets time pass, perhaps a timer that fired, may have come further.
      now = Math.max(now, end);
    },
    get pending() {
      return timers.size;
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

/** Lets promise chains and what they queue run to their end. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
