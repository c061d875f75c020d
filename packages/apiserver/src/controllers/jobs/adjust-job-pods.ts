import type { ApiObject } from "../../objects/api-object.js";
import { specOf } from "../../objects/parts.js";
import { createOwnedPod, deleteOwnedPod } from "../pods/pod-control.js";
import { compareForDeletion } from "../pods/pods.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { jobSource } from "./job-events.js";
import type { JobCounts } from "./job-outcome.js";
import { endedAt, indexOf, isIndexed, jobPod } from "./job-pods.js";

/** Milliseconds until a failed pod is replaced: doubled after each failure. */
const backoffMs = { first: 10_000, last: 600_000 };

/** The active pods of a Job and how many it wants. */
export interface JobDemand {
  readonly active: readonly ApiObject[];
  readonly wanted: number;
  /** Completed indexes, which get no further pod. */
  readonly done: ReadonlySet<number>;
  /** `true` while new pods must wait for the back-off. */
  readonly isWaiting: boolean;
}

/** Creates or deletes pods of a Job; returns the resulting number of active ones. */
export function adjustJobPods(
  context: ControllerParts,
  job: ApiObject,
  { active, wanted, done, isWaiting }: JobDemand,
): number {
  const surplus = [...active]
    .sort(compareForDeletion)
    .slice(0, Math.max(0, active.length - wanted));
  for (const pod of surplus) {
    deleteOwnedPod(context, job, pod, jobSource);
  }
  const missing = isWaiting ? 0 : Math.max(0, wanted - active.length);
  const taken = new Set([...done, ...active.map(indexOf)]);
  for (let at = 0, index = 0; at < missing; at++) {
    while (taken.has(index)) {
      index += 1;
    }
    taken.add(index);
    createOwnedPod(context, job, jobPod(job, isIndexed(job) ? index : undefined), jobSource);
  }
  return active.length - surplus.length + missing;
}

/** Returns how many pods of a Job should be active. */
export function wantedActive(
  job: ApiObject,
  counts: Pick<JobCounts, "active" | "succeeded">,
): number {
  const { completions, parallelism } = specOf(job);
  const most = Number(parallelism ?? 1);
  if (completions === undefined) {
    return counts.succeeded > 0 ? counts.active : most;
  }
  return Math.min(most, Math.max(0, Number(completions) - counts.succeeded));
}

/**
 * Returns the milliseconds until a Job may replace failed pods.
 *
 * @param count - number of all failed pods so far.
 * @param failed - pods that failed since the last status.
 */
export function backoffLeft(
  count: number,
  failed: readonly ApiObject[],
  job: ApiObject,
  now: number,
): number {
  if (count === 0) {
    return 0;
  }
  const ends = failed.map((pod) => endedAt(pod) ?? now);
  const last = ends.length > 0 ? Math.max(...ends) : Date.parse(lastFailure(job) ?? "");
  const delay = Math.min(backoffMs.first * 2 ** (count - 1), backoffMs.last);
  return Number.isNaN(last) ? 0 : Math.max(0, last + delay - now);
}

/** Returns the time of the last status write from managedFields, as the Job does not store when a pod last failed. */
function lastFailure({ metadata }: ApiObject): string | undefined {
  return metadata.managedFields?.find(({ subresource }) => subresource === "status")?.time;
}
