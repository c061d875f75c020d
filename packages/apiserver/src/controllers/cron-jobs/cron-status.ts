import type { ApiObject } from "../../objects/api-object.js";
import { type JsonObject, omitKeys } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import { isOver, jobStorage } from "../jobs/job-outcome.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { writeIfChanged } from "../runtime/write-status.js";

export const cronStorage = "cronjobs.batch";

/**
 * Writes the status of a CronJob by its current Jobs.
 *
 * @param scheduled - the due time whose Job exists now; `undefined` keeps the last one.
 */
export function writeCronStatus(
  context: ControllerParts,
  cron: ApiObject,
  scheduled: number | undefined,
): void {
  const { server, index } = context;
  const jobs = index.ownedIn(jobStorage, cron.metadata.uid ?? "").filter((job) => !isGoing(job));
  const before = mapOf(cron["status"]);
  const active = activeOf(jobs, before);
  const ends = jobs.map((job) => mapOf(job["status"])["completionTime"]);
  const lastSuccessfulTime = [...ends, before["lastSuccessfulTime"]]
    .filter((end) => end !== undefined)
    .map(String)
    .sort()
    .at(-1);
  writeIfChanged(context, cronStorage, cron, {
    ...(active.length > 0 ? { active } : {}),
    ...omitKeys(before, "active"),
    ...(scheduled === undefined
      ? {}
      : { lastScheduleTime: timestamp({ ...server.clock, now: () => scheduled }) }),
    ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }),
  });
}

/** Returns references to the unfinished Jobs; a known Job keeps its reference. */
function activeOf(jobs: readonly ApiObject[], before: JsonObject): JsonObject[] {
  const known = new Map(objectsOf(before["active"]).map((one) => [one["uid"], one]));
  return jobs
    .filter((job) => !isOver(job))
    .map(({ apiVersion, kind, metadata }): JsonObject => {
      const { name, namespace, uid, resourceVersion } = metadata;
      return known.get(uid) ?? { kind, namespace, name, uid, apiVersion, resourceVersion };
    });
}
