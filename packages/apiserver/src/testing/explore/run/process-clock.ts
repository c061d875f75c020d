import type { Clock } from "@typekube/core/internal";

/** Timers that fire within one millisecond, of one process, until they count as a loop without end. */
export const mostTimersAtOnce = 2_000;
/** The same until they count as a loop: it may wait for something that time would bring. */
export const loopTimers = 10;

/** The clock of one process of an operator: it can stand still, jump, and end with its process. */
export interface ProcessClock extends Clock {
  /** Timers that have not fired yet, each with an identity of its own. */
  readonly timers: ReadonlySet<object>;
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
export function createProcessClock(clock: Clock, hooks: ClockHooks = {}): ProcessClock {
  return new OwnClock(clock, hooks);
}

class OwnClock implements ProcessClock {
  readonly countsSuspension = true;
  readonly #clock: Clock;
  readonly #hooks: ClockHooks;
  readonly timers = new Set<() => void>();
  #held: (() => void)[] = [];
  #isPaused = false;
  #isOver = false;
  #offset = 0;
  #atOnce = 0;
  /** The time at which {@link #atOnce} begins. */
  #firstMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, hooks: ClockHooks) {
    this.#clock = clock;
    this.#hooks = hooks;
  }

  // Bound, since programs pass the functions of a clock on.
  readonly now = (): number => this.#clock.now() + this.#offset;

  readonly monotonic = (): number => this.#clock.now();

  readonly schedule: Clock["schedule"] = (delayMs, callback) => {
    if (this.#isOver) {
      return () => {};
    }
    let isCancelled = false;
    const cancel = () => {
      isCancelled = true;
      this.timers.delete(cancel);
      forget();
    };
    const fire = () => {
      if (this.#isPaused) {
        this.#held.push(fire);
      } else if (!isCancelled) {
        this.timers.delete(cancel);
        this.#count();
        if (this.#isOver) {
          return;
        }
        try {
          callback();
        } catch (error) {
          this.#hooks.onError?.(error);
        }
      }
    };
    const forget = this.#clock.schedule(delayMs, fire);
    this.timers.add(cancel);
    return cancel;
  };

  #count(): void {
    const now = this.#clock.now();
    if (now - this.#firstMs >= 1) {
      this.#firstMs = now;
      this.#atOnce = 0;
    }
    this.#atOnce += 1;
    this.#hooks.onTimer?.(this.#atOnce);
  }

  jump(ms: number): void {
    this.#offset += ms;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    const due = this.#held;
    this.#held = [];
    for (const fire of due) {
      fire();
    }
  }

  end(): void {
    this.#isOver = true;
    this.#held = [];
    for (const cancel of [...this.timers]) {
      cancel();
    }
  }
}
