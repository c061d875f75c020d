import type { Clock } from "@typekube/core/internal";

/** Wakes one loop before its time. A ring while the loop is busy ends its next wait at once. */
export class Bell {
  readonly #clock: Clock;
  #isRung = false;
  #wake = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  /** Waits until the bell rings, or for at most `delayMs`; `Number.POSITIVE_INFINITY` waits for the bell only. */
  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      let cancel = () => {};
      const wake = () => {
        this.#isRung = false;
        this.#wake = () => {};
        cancel();
        resolve();
      };
      if (this.#isRung || delayMs <= 0) {
        wake();
        return;
      }
      this.#wake = wake;
      if (delayMs < Number.POSITIVE_INFINITY) {
        // Whole milliseconds, so that a rest too small for the clock does not end the wait again and again.
        cancel = this.#clock.schedule(Math.ceil(delayMs), wake);
      }
    });
  }
}
