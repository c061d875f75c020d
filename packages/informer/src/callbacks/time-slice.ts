import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type Clock, monotonicNow } from "@typekube/core/internal";

/**
 * Milliseconds that a loop over user code runs before it yields to everything else: sockets, timers, lease renewal. A
 * single call may take longer.
 */
export const longestSliceMs = 10;

/** Tracks how long a loop has run since it last yielded to the event loop. Awaiting a resolved promise does not yield. */
export class TimeSlice {
  readonly #clock: Clock;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = monotonicNow(clock);
  }

  /** `true` when it is time to {@link rest}. */
  get isOver(): boolean {
    return monotonicNow(this.#clock) - this.#since >= longestSliceMs;
  }

  /** Yields to the event loop and starts a new time slice. */
  async rest(): Promise<void> {
    await yieldToEventLoop();
    this.renew();
  }

  /** Starts a new time slice: the loop was idle. */
  renew(): void {
    this.#since = monotonicNow(this.#clock);
  }
}
