import type { Random } from "@typekube/core/internal";

/** Maximum delay in milliseconds of the second attempt; doubled for each further one. */
const baseMs = 200;
/** Maximum delay in milliseconds of any attempt. */
const longestMs = 5_000;

/** Delays between attempts that brought nothing new: none at first, then growing with full jitter. */
export class ResumeDelay {
  readonly #random: Random;
  #attempts = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns the milliseconds to wait before the next attempt. */
  next(): number {
    const ms = this.#attempts === 0 ? 0 : Math.min(longestMs, baseMs * 2 ** (this.#attempts - 1));
    this.#attempts = Math.min(this.#attempts + 1, 10);
    // At least half of it: a container that ended is polled until its status says so.
    return ms * (0.5 + this.#random() / 2);
  }

  /** Something new was read. */
  reset(): void {
    this.#attempts = 0;
  }
}
