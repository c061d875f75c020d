import type { Clock } from "@typekube/core";

/** Calls back when nothing was heard for a while. Hearing something costs one assignment, not a timer. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #heardAt: number;
  #wasTouched = false;
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

  /** No call comes after this. */
  stop(): void {
    this.#cancel();
  }

  /** A timer has run out. Only it is trusted with how long that was: the time of day may have been set meanwhile. */
  #check(): void {
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
