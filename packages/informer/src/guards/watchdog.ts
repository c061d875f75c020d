import { type Clock, monotonicNow } from "@typekube/core/internal";

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
    this.#receivedAt = monotonicNow(clock);
    this.#arm(idleMs);
  }

  /** Records an arrival. */
  touch(): void {
    this.#receivedAt = monotonicNow(this.#clock);
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

  /** Called when a timer has run out. */
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
    const quietMs = monotonicNow(this.#clock) - this.#receivedAt;
    // A timer that ran out late gets another turn of the event loop: what arrived meanwhile has not been read yet.
    this.#arm(Math.max(0, this.#idleMs - quietMs));
  }

  #arm(delayMs: number): void {
    this.#cancel = this.#clock.schedule(delayMs, () => this.#check());
  }
}
