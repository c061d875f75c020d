import type { Clock } from "@typekube/core/internal";

/**
 * Real milliseconds that a connection has on top of its time. Virtual time passes faster than bytes travel: who is about to
 * be ready when it is told to pass must not be taken for slow.
 */
const graceMs = 100;

/** Calls back when so much of the clock's time is over; gives what calls it off. */
export function afterDeadline(clock: Clock, delayMs: number, callback: () => void): () => void {
  let cancel = clock.schedule(delayMs, () => {
    const timer = setTimeout(callback, graceMs);
    cancel = () => clearTimeout(timer);
  });
  return () => cancel();
}
