import type { ApiObject } from "../../objects/api-object.js";
import { mapOf, specOf } from "../../objects/parts.js";

/** Maximum number of missed times to step through before using the latest one found. */
const maxMissed = 100_000;

/**
 * Returns the latest due time of a CronJob since its last run; `undefined` when none is due or its deadline has passed.
 *
 * @param after - returns the first time of the schedule after a time.
 */
export function lastDue(
  cron: ApiObject,
  after: (moment: number) => number | undefined,
  now: number,
): number | undefined {
  const { startingDeadlineSeconds } = specOf(cron);
  const since = mapOf(cron["status"])["lastScheduleTime"] ?? cron.metadata.creationTimestamp;
  const earliest =
    startingDeadlineSeconds === undefined ? 0 : now - Number(startingDeadlineSeconds) * 1_000;
  let found: number | undefined;
  let next = after(Math.max(Date.parse(String(since)), earliest));
  for (let missed = 0; next !== undefined && next <= now && missed < maxMissed; missed++) {
    found = next;
    next = after(next);
  }
  return found;
}
