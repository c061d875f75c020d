import type { ApiObject } from "../../objects/api-object.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import { hasEnded, isActive, isReady, phaseOf } from "../pods/pods.js";
import type { Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { writeIfChanged } from "../runtime/write-status.js";
import { adjustJobPods, backoffLeft, wantedActive } from "./adjust-job-pods.js";
import { formatIndexes, parseIndexes } from "./completed-indexes.js";
import { recordJobChanges } from "./job-events.js";
import { deadlineIn, type JobCounts, jobStorage, outcomeOf } from "./job-outcome.js";
import { hasFailed, indexOf, isIndexed, isTracked, releasePod } from "./job-pods.js";
import { withOutcome, withSuspension } from "./job-status.js";

/** The pods of a Job that ended since its last status, and the Job's counts with them. */
export interface JobTally {
  readonly succeeded: readonly ApiObject[];
  readonly failed: readonly ApiObject[];
  readonly counts: JobCounts;
  /** Completed indexes; empty unless the Job is indexed. */
  readonly done: ReadonlySet<number>;
}

/** Counts a Job's pods. A pod that the Job has counted before has lost the tracking finalizer. */
export function tallyJob(job: ApiObject, pods: readonly ApiObject[]): JobTally {
  const before = mapOf(job["status"]);
  const held = pods.filter(isTracked);
  const succeeded = held.filter((pod) => phaseOf(pod) === "Succeeded");
  const failed = held.filter((pod) => hasFailed(pod, specOf(job)["podReplacementPolicy"]));
  const done = parseIndexes(String(before["completedIndexes"] ?? ""));
  for (const pod of succeeded) {
    done.add(indexOf(pod));
  }
  done.delete(-1);
  const counts = {
    succeeded: isIndexed(job) ? done.size : Number(before["succeeded"] ?? 0) + succeeded.length,
    failed: Number(before["failed"] ?? 0) + failed.length,
    active: pods.filter(isActive).length,
  };
  return { succeeded, failed, counts, done };
}

/** Brings an unfinished Job forward: counts its pods, creates or deletes some, and writes its status. */
export function syncJob(
  context: ControllerParts,
  job: ApiObject,
  pods: readonly ApiObject[],
): Reconciled {
  const { clock } = context.server;
  const now = clock.now();
  const { succeeded, failed, counts, done } = tallyJob(job, pods);
  const isSuspended = specOf(job)["suspend"] === true;
  const outcome = outcomeOf(job, counts, now);
  const active = pods.filter(isActive);
  const wanted = outcome !== undefined || isSuspended ? 0 : wantedActive(job, counts);
  const wait = outcome === undefined ? backoffLeft(counts.failed, failed, job, now) : 0;
  const running = adjustJobPods(context, job, { active, wanted, done, isWaiting: wait > 0 });
  const before = mapOf(job["status"]);
  const status = {
    ...before,
    ...(before["startTime"] === undefined && !isSuspended ? { startTime: timestamp(clock) } : {}),
    active: running,
    ready: running === 0 ? 0 : active.filter(isReady).length,
    terminating: pods.filter((pod) => isGoing(pod) && !hasEnded(pod)).length,
    succeeded: counts.succeeded,
    failed: counts.failed,
    uncountedTerminatedPods: {},
    ...(isIndexed(job) && done.size > 0 ? { completedIndexes: formatIndexes(done) } : {}),
  };
  const next =
    outcome === undefined
      ? withSuspension(job, status, clock)
      : withOutcome(job, status, outcome, clock);
  writeIfChanged(context, jobStorage, job, next);
  recordJobChanges(context, job, next);
  for (const pod of [...succeeded, ...failed]) {
    releasePod(context, pod);
  }
  return outcome === undefined ? nextCheck(context, job, wait, now) : undefined;
}

/** Returns the milliseconds until a Job's back-off or deadline, whichever is first. */
function nextCheck(
  { writer }: ControllerParts,
  job: ApiObject,
  backoff: number,
  now: number,
): number | undefined {
  const { namespace = "", name = "" } = job.metadata;
  const deadline = deadlineIn(writer.get(jobStorage, namespace, name) ?? job, now);
  const waits = [backoff, deadline ?? 0].filter((ms) => ms > 0);
  return waits.length === 0 ? undefined : Math.min(...waits);
}
