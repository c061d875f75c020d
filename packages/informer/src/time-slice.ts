import { setImmediate as nextTurn } from "node:timers/promises";
import { type Clock, monotonicNow } from "@typekube/core/internal";

/**
 * Milliseconds that a loop over others' code goes on before everything else has a turn: sockets, timers, the renewal of a lease. A
 * single call may take longer; that is its own affair.
 */
export const longestSliceMs = 10;

/** What one loop has of the event loop until it lets others have it. Awaiting what is there already does not do that. */
export class TimeSlice {
  readonly #clock: Clock;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = monotonicNow(clock);
  }

  /** Whether it is time to {@link rest}. */
  get isOver(): boolean {
    return monotonicNow(this.#clock) - this.#since >= longestSliceMs;
  }

  /** Lets everything run that waits for its turn, and begins anew. */
  async rest(): Promise<void> {
    await nextTurn();
    this.renew();
  }

  /** Begins anew: the loop had nothing to do. */
  renew(): void {
    this.#since = monotonicNow(this.#clock);
  }
}
