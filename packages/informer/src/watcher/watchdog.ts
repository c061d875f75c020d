import type { Clock } from "@typekube/core/internal";

/** Calls back when nothing was heard for a while. Hearing something costs one assignment, not a timer. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #heardAt: number;
  #wasTouched = false;
  #isHeld = false;
  #ranOut = false;
  #cancel: () => void = () => {};

  constructor(clock: Clock, idleMs: number, onIdle: () => void) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
    this.#heardAt = clock.now();
    this.#arm(idleMs);
  }

  /** Something was heard. */
  touch(): void {
    this.#heardAt = this.#clock.now();
    this.#wasTouched = true;
  }

  /** Nobody listens for a while, which is no silence. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Somebody listens again. */
  release(): void {
    this.#isHeld = false;
    if (this.#ranOut) {
      this.#ranOut = false;
      this.#arm(this.#idleMs);
    }
  }

  /** No call comes after this. */
  stop(): void {
    this.#cancel();
  }

  /** A timer has run out. Only it is trusted with how long that was: the time of day may have been set meanwhile. */
  #check(): void {
    if (this.#isHeld) {
      // Not armed anew: who never listens again should not keep a program alive.
      this.#ranOut = true;
      return;
    }
    if (!this.#wasTouched) {
      this.#onIdle();
      return;
    }
    this.#wasTouched = false;
    const quietMs = this.#clock.now() - this.#heardAt;
    const isPlausible = quietMs >= 0 && quietMs <= this.#idleMs;
    this.#arm(isPlausible ? this.#idleMs - quietMs : this.#idleMs);
  }

  #arm(delayMs: number): void {
    this.#cancel = this.#clock.schedule(delayMs, () => this.#check());
  }
}
