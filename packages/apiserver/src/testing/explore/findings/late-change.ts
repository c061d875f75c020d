import type { RunResult } from "../record/run-result.js";

/** Least milliseconds for which the run without faults goes on to show a late change: more than a clock jumps. */
const leastLongerMs = 7_200_000;
/** The same as a multiple of the time that this run took: an operator may act at a later look. */
const longerFactor = 5;
const minuteMs = 60_000;

/**
 * Returns the time for which the world must stay right in a longer run without faults.
 *
 * @param endMs - time of the run at its end, in milliseconds.
 * @param mostMs - the longest time.
 */
export function longerMs(endMs: number, mostMs: number): number {
  return Math.min(mostMs, Math.max(leastLongerMs, longerFactor * endMs));
}

/**
 * Returns what to change when the operator changes the world without faults, too, later than its run went on.
 *
 * @param settledMs - milliseconds after the last step until the world of the longer run was right.
 */
export function lateChangeAdvice({ settledMs }: Pick<RunResult, "settledMs">): string {
  const stableMs = (Math.ceil(settledMs / minuteMs) + 1) * minuteMs;
  return `without faults, the operator changes the world, too, ${Math.round(settledMs / 1_000)} s after the last step, when the run without faults was over: stableMs: ${stableMs} lets it go on until then`;
}
