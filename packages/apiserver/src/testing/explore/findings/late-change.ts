import type { RunResult } from "../record/run-result.js";
import type { Expectation } from "../run/expectation.js";

/** Least milliseconds for which the run without faults goes on to show a late change: more than a clock jumps. */
const leastLongerMs = 7_200_000;
/** The same as a multiple of the time that this run took: an operator may act at a later look. */
const longerFactor = 5;
/** Calls of the operator in such a run, about: it takes a second or less. */
const mostCalls = 1_000;
const minuteMs = 60_000;

/**
 * Returns the milliseconds for which the world must stay right in a longer run without faults; `undefined` when the operator
 * makes so many calls that such a run would hardly be longer.
 *
 * @param mostMs - the longest time, in milliseconds.
 */
export function longerMs(
  { endMs, calls }: Pick<Expectation, "calls" | "endMs">,
  mostMs: number,
): number | undefined {
  const longMs = Math.max(leastLongerMs, longerFactor * endMs);
  const longer = Math.min(mostMs, longMs, Math.floor((endMs * mostCalls) / calls));
  return longer > endMs ? longer : undefined;
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
