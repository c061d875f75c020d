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
  return new OwnClock(clock, onError);
}

class OwnClock implements ProcessClock {
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #timers = new Set<() => void>();
  #held: (() => void)[] = [];
  #isPaused = false;
  #isOver = false;
  #offset = 0;

  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.#onError = onError;
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
      this.#timers.delete(cancel);
      forget();
    };
    const fire = () => {
      if (this.#isPaused) {
        this.#held.push(fire);
      } else if (!isCancelled) {
        this.#timers.delete(cancel);
        try {
          callback();
        } catch (error) {
          this.#onError(error);
        }
      }
    };
    const forget = this.#clock.schedule(delayMs, fire);
    this.#timers.add(cancel);
    return cancel;
  };

  get pending(): number {
    return this.#timers.size;
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
    for (const cancel of [...this.#timers]) {
      cancel();
    }
  }
}
