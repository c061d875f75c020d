import type { ApiObject } from "../../objects/api-object.js";
import { findCondition } from "../../objects/conditions.js";
import { type JsonObject, omitKeys } from "../../objects/json-value.js";
import { controllerOf, controllerReference, isGoing } from "../../objects/owner-references.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import { isOver } from "../jobs/job-outcome.js";
import { splitKey } from "../pods/owned-pods.js";
import { compareAge } from "../pods/pods.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { writeIfChanged } from "../runtime/write-status.js";
import { cronTimes } from "./cron-times.js";

const storage = "cronjobs.batch";
const jobStorage = "jobs.batch";

/** Source component of a CronJob's Events. */
const component = "cronjob-controller";

/** Maximum number of missed times to step through before using the latest one found. */
const maxMissed = 100_000;

/** Creates a Job whenever a CronJob's schedule is due on the server's clock. */
export function createCronJobController(parts: ControllerParts): Controller {
  const { server, writer, index, events } = parts;
  const { clock } = server;

  const reconcile = (key: string): Reconciled => {
    const cron = writer.get(storage, ...splitKey(key));
    if (cron === undefined || isGoing(cron)) {
      return undefined;
    }
    const jobs = index.ownedIn(jobStorage, cron.metadata.uid ?? "").sort(compareAge);
    forgetOld(cron, jobs);
    const { schedule, timeZone, suspend } = specOf(cron);
    if (suspend === true) {
      writeStatus(cron, undefined);
      return undefined;
    }
    const times = cronTimes(
      String(schedule),
      timeZone === undefined ? undefined : String(timeZone),
    );
    const due = lastDue(cron, times.after);
    const isMade =
      due !== undefined &&
      run(
        cron,
        jobs.filter((job) => !isOver(job)),
        due,
      );
    writeStatus(cron, isMade ? due : undefined);
    const next = times.after(clock.now());
    return next === undefined ? undefined : next - clock.now();
  };

  /** Returns the latest due time since the last run; `undefined` when none is due or its deadline has passed. */
  const lastDue = (
    cron: ApiObject,
    after: (moment: number) => number | undefined,
  ): number | undefined => {
    const { startingDeadlineSeconds } = specOf(cron);
    const now = clock.now();
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
  };

  /** Creates the Job of a due time; returns whether it exists now. */
  const run = (cron: ApiObject, active: readonly ApiObject[], due: number): boolean => {
    const { concurrencyPolicy, jobTemplate } = specOf(cron);
    if (concurrencyPolicy === "Forbid" && active.length > 0) {
      return false;
    }
    for (const job of concurrencyPolicy === "Replace" ? active : []) {
      remove(cron, job);
    }
    const { name = "", namespace = "" } = cron.metadata;
    const template = mapOf(jobTemplate);
    const { labels, annotations } = mapOf(template["metadata"]);
    const jobName = `${name}-${Math.floor(due / 60_000)}`;
    if (writer.get(jobStorage, namespace, jobName) === undefined) {
      writer.create(jobStorage, {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: {
          name: jobName,
          namespace,
          labels: labels as Record<string, string>,
          annotations: {
            ...(mapOf(annotations) as Record<string, string>),
            "batch.kubernetes.io/cronjob-scheduled-timestamp": timestamp({
              ...clock,
              now: () => due,
            }),
          },
          ownerReferences: [controllerReference(cron)],
        },
        spec: template["spec"],
      } as ApiObject);
      events.record(
        cron,
        { reason: "SuccessfulCreate", message: `Created job ${jobName}` },
        { component },
      );
    }
    return true;
  };

  /** Deletes finished Jobs beyond the history limits, oldest first. */
  const forgetOld = (cron: ApiObject, jobs: readonly ApiObject[]) => {
    const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = specOf(cron);
    const ended = (type: string) =>
      jobs.filter((job) => findCondition(job, type)?.["status"] === "True" && !isGoing(job));
    const surplus = (all: readonly ApiObject[], limit: unknown) =>
      all.slice(0, Math.max(0, all.length - Number(limit)));
    for (const job of [
      ...surplus(ended("Complete"), successfulJobsHistoryLimit),
      ...surplus(ended("Failed"), failedJobsHistoryLimit),
    ]) {
      remove(cron, job);
    }
  };

  const remove = (cron: ApiObject, job: ApiObject) => {
    writer.delete(jobStorage, job, { propagationPolicy: "Background", uid: job.metadata.uid });
    const message = `Deleted job ${job.metadata.name}`;
    events.record(cron, { reason: "SuccessfulDelete", message }, { component });
  };

  const writeStatus = (cron: ApiObject, scheduled: number | undefined) => {
    const jobs = index.ownedIn(jobStorage, cron.metadata.uid ?? "").filter((job) => !isGoing(job));
    const before = mapOf(cron["status"]);
    const known = new Map(objectsOf(before["active"]).map((one) => [one["uid"], one]));
    const active = jobs
      .filter((job) => !isOver(job))
      .map(({ apiVersion, kind, metadata }): JsonObject => {
        const { name, namespace, uid, resourceVersion } = metadata;
        return known.get(uid) ?? { kind, namespace, name, uid, apiVersion, resourceVersion };
      });
    const ends = jobs.map((job) => mapOf(job["status"])["completionTime"]);
    const lastSuccessfulTime = [...ends, before["lastSuccessfulTime"]]
      .filter((end) => end !== undefined)
      .map(String)
      .sort()
      .at(-1);
    writeIfChanged(parts, storage, cron, {
      ...(active.length > 0 ? { active } : {}),
      ...omitKeys(before, "active"),
      ...(scheduled === undefined
        ? {}
        : { lastScheduleTime: timestamp({ ...clock, now: () => scheduled }) }),
      ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }),
    });
  };

  return {
    name: "cron-jobs",
    follows: [storage, jobStorage],
    keysOf({ key, namespace, object }, from) {
      if (from === storage) {
        return [key];
      }
      const owner = controllerOf(object);
      return owner?.kind === "CronJob" ? [`${namespace}/${owner.name}`] : [];
    },
    reconcile,
  };
}
