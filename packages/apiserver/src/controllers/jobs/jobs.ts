import type { ApiObject } from "../../objects/api-object.js";
import { findCondition } from "../../objects/conditions.js";
import { isGoing } from "../../objects/owner-references.js";
import { specOf } from "../../objects/parts.js";
import { claim, keysOfOwner, splitKey } from "../pods/owned-pods.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { isOver, jobStorage } from "./job-outcome.js";
import { releasePod } from "./job-pods.js";
import { createOrphanPodController } from "./orphan-pods.js";
import { syncJob } from "./sync-job.js";

/** Runs Jobs: keeps the desired number of pods active until enough have succeeded or too many have failed. */
export function createJobControllers(context: ControllerParts): readonly Controller[] {
  const jobs: Controller = {
    name: "jobs",
    follows: [jobStorage, "pods"],
    keysOf: (event, storage) =>
      storage === jobStorage
        ? [event.key]
        : keysOfOwner(context, event, { storage: jobStorage, kind: "Job" }),
    reconcile: (key) => reconcile(context, key),
  };
  return [jobs, createOrphanPodController(context)];
}

function reconcile(context: ControllerParts, key: string): Reconciled {
  const job = context.writer.get(jobStorage, ...splitKey(key));
  if (job === undefined || specOf(job)["managedBy"] !== undefined) {
    return undefined;
  }
  const pods = claim(context, job, "pods");
  if (!isOver(job) && !isGoing(job)) {
    return syncJob(context, job, pods);
  }
  for (const pod of pods) {
    releasePod(context, pod);
  }
  return isOver(job) ? expireJob(context, job) : undefined;
}

/** Deletes a finished Job and its dependents once its TTL has passed; returns the milliseconds until then. */
export function expireJob({ server, writer }: ControllerParts, job: ApiObject): Reconciled {
  const { ttlSecondsAfterFinished } = specOf(job);
  const end = findCondition(job, "Complete") ?? findCondition(job, "Failed");
  if (ttlSecondsAfterFinished === undefined || isGoing(job)) {
    return undefined;
  }
  const due =
    Date.parse(String(end?.["lastTransitionTime"])) + Number(ttlSecondsAfterFinished) * 1_000;
  const now = server.clock.now();
  if (due > now) {
    return due - now;
  }
  writer.delete(jobStorage, job, { propagationPolicy: "Foreground", uid: job.metadata.uid });
  return undefined;
}
