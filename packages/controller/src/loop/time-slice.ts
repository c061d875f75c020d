// Captured at load time, so that fake timers of a test framework don't block the loop.
const { setImmediate } = globalThis;

/** Milliseconds of runs after which sockets and timers get their turn: promises alone would starve them. */
const sliceMs = 10;

/** Calls a function again and again as long as it has work, and lets the event loop turn in between. */
export class TimeSlice {
  readonly #work: () => void;
  #since = 0;
  #isResting = false;

  constructor(work: () => void) {
    this.#work = work;
  }

  /** Returns true when the work has to wait; it is called again after a turn of the event loop. */
  mustRest(): boolean {
    if (this.#isResting) {
      return true;
    }
    const now = performance.now();
    if (this.#since === 0) {
      this.#since = now;
      // The slice is over at the end of this turn of the event loop, whatever runs in it.
      setImmediate(() => {
        this.#since = 0;
      });
    } else if (now - this.#since >= sliceMs) {
      this.#isResting = true;
      setImmediate(() => {
        this.#isResting = false;
        this.#since = 0;
        this.#work();
      });
      return true;
    }
    return false;
  }
}
