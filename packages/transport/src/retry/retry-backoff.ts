import type { Random } from "@typekube/core/internal";

/**
 * Retries of a read whose connection broke: one for a connection that was idle too long, one for a server that is being
 * replaced.
 */
export const maxBrokenRetries = 2;

/** Maximum delay of the second retry in milliseconds; doubled for each further retry. */
const baseMs = 200;

/** Maximum back-off of any retry in milliseconds. */
const longestMs = 5_000;

/**
 * Returns the back-off in milliseconds before a retry, counted from 1. The first retry is immediate, since most
 * failures are short. Later delays grow, with full jitter, so that clients that failed together do not retry together.
 */
export function backoffMs(repetition: number, random: Random): number {
  return repetition <= 1 ? 0 : random() * Math.min(longestMs, baseMs * 2 ** (repetition - 2));
}
