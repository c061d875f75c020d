import type { Clock } from "@typekube/core";

/** Calls back when nothing was heard for a while. Hearing something costs one assignment, not a timer. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #heardAt: number;
  #cancel: () => void;

  constructor(clock: Clock, idleMs: number, onIdle: () => void) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
    this.#heardAt = clock.now();
    this.#cancel = clock.schedule(idleMs, () => this.#check());
  }

  /** Something was heard. */
  touch(): void {
    this.#heardAt = this.#clock.now();
  }

  /** No call comes after this. */
  stop(): void {
    this.#cancel();
  }

  #check(): void {
    const quietMs = this.#clock.now() - this.#heardAt;
    if (quietMs >= this.#idleMs) {
      this.#onIdle();
    } else {
      this.#cancel = this.#clock.schedule(this.#idleMs - quietMs, () => this.#check());
    }
  }
}
