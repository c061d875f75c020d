import type { Clock } from "@typekube/core/internal";

/**
 * Real milliseconds added to a connection's deadline. Virtual time passes faster than bytes travel: a client that is
 * about to be ready when the clock is advanced must not count as slow.
 */
const graceMs = 100;

/** Calls back when the clock's delay has passed; returns a function that cancels it. */
export function afterDeadline(clock: Clock, delayMs: number, callback: () => void): () => void {
  let cancel = clock.schedule(delayMs, () => {
    const timer = setTimeout(callback, graceMs);
    cancel = () => clearTimeout(timer);
  });
  return () => cancel();
}
