import { type Clock, monotonicNow } from "@typekube/core/internal";

/** A moment on both clocks of a process. */
export interface ClockMark {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** Returns the current moment. */
export function markNow(clock: Clock): ClockMark {
  return { monotonicMs: monotonicNow(clock), wallMs: clock.now() };
}

/**
 * Returns the milliseconds since a moment, by the clock that moved further. The monotonic clock of Linux stands still
 * while the machine is suspended, and the time of day can be set back: a holder of a lease must not believe that it has
 * more time than it has. Only a clock that is set back while the machine is suspended goes unnoticed.
 */
export function elapsedMs(clock: Clock, since: ClockMark): number {
  return Math.max(monotonicNow(clock) - since.monotonicMs, clock.now() - since.wallMs);
}
