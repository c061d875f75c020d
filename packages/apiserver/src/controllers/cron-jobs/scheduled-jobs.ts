import type { ApiObject } from "../../objects/api-object.js";
import { findCondition } from "../../objects/conditions.js";
import { controllerReference, isGoing } from "../../objects/owner-references.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import { jobStorage } from "../jobs/job-outcome.js";
import type { ControllerParts } from "../runtime/controller-parts.js";

/** Source of a CronJob's Events. */
const source = { component: "cronjob-controller" } as const;

/**
 * Creates the Job of a due time, unless the concurrency policy forbids it; returns whether the Job exists now.
 *
 * @param active - the unfinished Jobs of the CronJob.
 */
export function createScheduledJob(
  context: ControllerParts,
  cron: ApiObject,
  active: readonly ApiObject[],
  due: number,
): boolean {
  const { server, writer, events } = context;
  const { concurrencyPolicy } = specOf(cron);
  if (concurrencyPolicy === "Forbid" && active.length > 0) {
    return false;
  }
  for (const job of concurrencyPolicy === "Replace" ? active : []) {
    remove(context, cron, job);
  }
  const { name = "", namespace = "" } = cron.metadata;
  const jobName = `${name}-${Math.floor(due / 60_000)}`;
  if (writer.get(jobStorage, namespace, jobName) === undefined) {
    const scheduled = timestamp({ ...server.clock, now: () => due });
    writer.create(jobStorage, jobOf(cron, jobName, scheduled));
    events.record(cron, { reason: "SuccessfulCreate", message: `Created job ${jobName}` }, source);
  }
  return true;
}

/** Returns the Job of a CronJob for a due time. */
function jobOf(cron: ApiObject, name: string, scheduled: string): ApiObject {
  const template = mapOf(specOf(cron)["jobTemplate"]);
  const { labels, annotations } = mapOf(template["metadata"]);
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name,
      namespace: cron.metadata.namespace ?? "",
      labels: labels as Record<string, string>,
      annotations: {
        ...(mapOf(annotations) as Record<string, string>),
        "batch.kubernetes.io/cronjob-scheduled-timestamp": scheduled,
      },
      ownerReferences: [controllerReference(cron)],
    },
    spec: template["spec"],
  } as ApiObject;
}

/** Deletes finished Jobs beyond the history limits, oldest first. */
export function trimHistory(
  context: ControllerParts,
  cron: ApiObject,
  jobs: readonly ApiObject[],
): void {
  const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = specOf(cron);
  for (const job of [
    ...surplusOf(jobs, "Complete", Number(successfulJobsHistoryLimit)),
    ...surplusOf(jobs, "Failed", Number(failedJobsHistoryLimit)),
  ]) {
    remove(context, cron, job);
  }
}

function surplusOf(jobs: readonly ApiObject[], type: string, limit: number): ApiObject[] {
  const ended = jobs.filter(
    (job) => findCondition(job, type)?.["status"] === "True" && !isGoing(job),
  );
  return ended.slice(0, Math.max(0, ended.length - limit));
}

function remove({ writer, events }: ControllerParts, cron: ApiObject, job: ApiObject): void {
  writer.delete(jobStorage, job, { propagationPolicy: "Background", uid: job.metadata.uid });
  const message = `Deleted job ${job.metadata.name}`;
  events.record(cron, { reason: "SuccessfulDelete", message }, source);
}
