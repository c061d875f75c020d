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

/** Returns whether a clock was created by {@link createVirtualClock}. */
export function isMadeVirtual(clock: object): boolean {
  return clock instanceof AdvancedClock;
}

/** Creates a clock that is stopped at `start` (milliseconds since the epoch). */
export function createVirtualClock(start: number = Date.UTC(2026, 0, 1)): VirtualClock {
  return new AdvancedClock(start);
}

class AdvancedClock implements VirtualClock {
  readonly countsSuspension = true;
  readonly #timers = new Set<Timer>();
  #now: number;
  #order = 0;

  constructor(start: number) {
    this.#now = start;
  }

  // Bound, since programs pass the functions of a clock on.
  readonly now = (): number => this.#now;

  readonly schedule: Clock["schedule"] = (delayMs, callback) => {
    const timer: Timer = {
      due: this.#now + Math.max(0, delayMs),
      order: this.#order++,
      callback,
    };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  readonly advance = async (milliseconds: number): Promise<void> => {
    if (!(milliseconds >= 0 && milliseconds < Number.POSITIVE_INFINITY)) {
      throw new KubeError("InvalidArgument", `the clock cannot advance by ${milliseconds} ms`);
    }
    const timers = this.#timers;
    const end = this.#now + milliseconds;
    await settle();
    for (let timer = next(timers, end); timer !== undefined; timer = next(timers, end)) {
      timers.delete(timer);
      this.#now = Math.max(this.#now, timer.due);
      timer.callback();
      await settle();
    }
    // Another call of advance(), such as one from a timer, may have moved the clock further.
    this.#now = Math.max(this.#now, end);
  };

  get pending(): number {
    return this.#timers.size;
  }

  get nextTimer(): number | undefined {
    return next(this.#timers, Number.POSITIVE_INFINITY)?.due;
  }
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
