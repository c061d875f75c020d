import type { Clock } from "@typekube/core/internal";

/** Calls back when nothing arrived for a while. An arrival costs one assignment, not a timer. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #receivedAt: number;
  #wasTouched = false;
  #isHeld = false;
  #ranOut = false;
  #cancel: () => void = () => {};

  constructor(clock: Clock, idleMs: number, onIdle: () => void) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
    this.#receivedAt = clock.now();
    this.#arm(idleMs);
  }

  /** Records an arrival. */
  touch(): void {
    this.#receivedAt = this.#clock.now();
    this.#wasTouched = true;
  }

  /** Pauses while a batch is processed: that is not silence of the server. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Resumes after a pause. */
  release(): void {
    this.#isHeld = false;
    if (this.#ranOut) {
      this.#ranOut = false;
      this.#arm(this.#idleMs);
    }
  }

  /** Stops the timer. No callback follows. */
  stop(): void {
    this.#cancel();
  }

  /** Called when a timer has run out. Only the timer measures reliably: the time of day may have been set in between. */
  #check(): void {
    if (this.#isHeld) {
      // Don't start a timer: a reader that never continues should not keep the process alive.
      this.#ranOut = true;
      return;
    }
    if (!this.#wasTouched) {
      this.#onIdle();
      return;
    }
    this.#wasTouched = false;
    const quietMs = this.#clock.now() - this.#receivedAt;
    const isPlausible = quietMs >= 0 && quietMs <= this.#idleMs;
    this.#arm(isPlausible ? this.#idleMs - quietMs : this.#idleMs);
  }

  #arm(delayMs: number): void {
    this.#cancel = this.#clock.schedule(delayMs, () => this.#check());
  }
}
