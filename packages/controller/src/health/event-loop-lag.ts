import { type Clock, monotonicNow } from "@typekube/core/internal";

/** Milliseconds between two measurements. */
const everyMs = 5_000;
/** Milliseconds of lag from which on a process counts as stuck. */
const maxLagMs = 30_000;

/** Measures how late timers fire, which tells how long the event loop was blocked. */
export class EventLoopLag {
  readonly #clock: Clock;
  #expectedAt = 0;
  #lagMs = 0;
  #cancel: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#arm();
  }

  /** @throws {Error} when the event loop was blocked for more than 30 s, in the last measurement or since. */
  check(): void {
    const lagMs = Math.max(this.#lagMs, monotonicNow(this.#clock) - this.#expectedAt);
    if (lagMs > maxLagMs) {
      throw new Error(`the event loop was blocked for ${Math.round(lagMs / 1_000)} s`);
    }
  }

  close(): void {
    this.#cancel();
  }

  #arm(): void {
    this.#expectedAt = monotonicNow(this.#clock) + everyMs;
    this.#cancel = this.#clock.schedule(
      everyMs,
      () => {
        this.#lagMs = monotonicNow(this.#clock) - this.#expectedAt;
        this.#arm();
      },
      true,
    );
  }
}
