import type { Random } from "@typekube/core/internal";

/** Repetitions of a read whose connection broke: a connection that idled too long, and one more for a server that is being replaced. */
export const maxBrokenRetries = 2;

/** Milliseconds that the second repetition waits at most; each further one twice as long. */
const baseMs = 200;

/** Milliseconds that no repetition waits longer than by itself. */
const longestMs = 5_000;

/**
 * Milliseconds before a repetition, 1 for the first, which waits for nothing: most failures are over at once. Later
 * ones wait longer and longer, with full jitter, so that clients that failed together do not come back together.
 */
export function backoffMs(repetition: number, random: Random): number {
  return repetition <= 1 ? 0 : random() * Math.min(longestMs, baseMs * 2 ** (repetition - 2));
}
