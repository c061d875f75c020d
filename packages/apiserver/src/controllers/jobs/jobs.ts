import type { ApiObject } from "../../objects/api-object.js";
import { conditionsOf, findCondition, withConditionText } from "../../objects/conditions.js";
import { type JsonObject, stringsOf } from "../../objects/json-value.js";
import { isGoing, withoutFinalizer } from "../../objects/owner-references.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import { claim, keysOfOwner, splitKey } from "../pods/owned-pods.js";
import { createPodControl } from "../pods/pod-control.js";
import { compareForDeletion, isActive, isReady, phaseOf } from "../pods/pods.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { writeIfChanged } from "../runtime/write-status.js";
import { formatIndexes, parseIndexes } from "./completed-indexes.js";
import { deadlineIn, isOver, type JobOutcome, outcomeOf } from "./job-outcome.js";
import { endedAt, hasFailed, indexOf, isIndexed, jobPod, trackingFinalizer } from "./job-pods.js";

const storage = "jobs.batch";

/** Source component of a Job's Events. */
const component = "job-controller";

/** Milliseconds until a failed pod is replaced: doubled after each failure. */
const backoffMs = { first: 10_000, last: 600_000 };

/** Runs Jobs: keeps the desired number of pods active until enough have succeeded or too many have failed. */
export function createJobController(parts: ControllerParts): Controller {
  const { server, writer, events } = parts;
  const { clock } = server;
  const podControl = createPodControl(parts, component);

  const reconcile = (key: string): Reconciled => {
    const job = writer.get(storage, ...splitKey(key));
    if (job === undefined || specOf(job)["managedBy"] !== undefined) {
      return undefined;
    }
    const pods = claim(parts, job, "pods");
    if (isOver(job) || isGoing(job)) {
      pods.forEach(letGo);
      return isOver(job) ? expire(job) : undefined;
    }
    return sync(job, pods);
  };

  const sync = (job: ApiObject, pods: readonly ApiObject[]): Reconciled => {
    const now = clock.now();
    const before = mapOf(job["status"]);
    const { suspend, podReplacementPolicy } = specOf(job);
    const held = pods.filter((pod) => (pod.metadata.finalizers ?? []).includes(trackingFinalizer));
    const succeeded = held.filter((pod) => phaseOf(pod) === "Succeeded");
    const failed = held.filter((pod) => hasFailed(pod, podReplacementPolicy));
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
    const started: JsonObject =
      before["startTime"] === undefined && suspend !== true ? { startTime: timestamp(clock) } : {};
    const outcome = outcomeOf(job, counts, now);
    const active = pods.filter(isActive);
    const wanted = outcome !== undefined || suspend === true ? 0 : wantedActive(job, counts);
    const wait = outcome === undefined ? backoffLeft(counts.failed, failed, job, now) : 0;
    const running = adjust(job, active, wanted, wait > 0, done);
    const status: JsonObject = {
      ...before,
      ...started,
      active: running,
      ready: running === 0 ? 0 : active.filter(isReady).length,
      terminating: pods.filter((pod) => isGoing(pod) && !isEnded(pod)).length,
      succeeded: counts.succeeded,
      failed: counts.failed,
      uncountedTerminatedPods: {},
      ...(isIndexed(job) && done.size > 0 ? { completedIndexes: formatIndexes(done) } : {}),
    };
    const said =
      outcome === undefined ? withSuspension(job, status) : withOutcome(job, status, outcome);
    writeIfChanged(parts, storage, job, said);
    recordChanges(job, said);
    [...succeeded, ...failed].forEach(letGo);
    const deadline = deadlineIn(writer.get(storage, ...placeOf(job)) ?? job, now);
    const waits = [wait, deadline ?? 0].filter((ms) => ms > 0);
    return outcome !== undefined || waits.length === 0 ? undefined : Math.min(...waits);
  };

  /** Creates or deletes pods; returns the resulting number of active ones. */
  const adjust = (
    job: ApiObject,
    active: readonly ApiObject[],
    wanted: number,
    isWaiting: boolean,
    done: ReadonlySet<number>,
  ): number => {
    const surplus = [...active]
      .sort(compareForDeletion)
      .slice(0, Math.max(0, active.length - wanted));
    for (const pod of surplus) {
      podControl.delete(job, pod);
    }
    const missing = isWaiting ? 0 : Math.max(0, wanted - active.length);
    const taken = new Set([...done, ...active.map(indexOf)]);
    for (let at = 0, index = 0; at < missing; at++) {
      while (taken.has(index)) {
        index += 1;
      }
      taken.add(index);
      podControl.create(job, jobPod(job, isIndexed(job) ? index : undefined));
    }
    return active.length - surplus.length + missing;
  };

  const withOutcome = (
    job: ApiObject,
    status: JsonObject,
    { type, reason, message }: JobOutcome,
  ): JsonObject => {
    const first = type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
    const conditions = [first, type].reduce<JsonObject[]>(
      (all, one) =>
        withConditionText(
          all,
          { type: one, status: "True", reason, message },
          clock,
          "lastProbeTime",
        ),
      conditionsOf(job),
    );
    const ended = type === "Complete" ? { completionTime: timestamp(clock) } : {};
    return { ...status, ...ended, active: 0, ready: 0, conditions };
  };

  const withSuspension = (job: ApiObject, status: JsonObject): JsonObject => {
    const isSuspended = specOf(job)["suspend"] === true;
    const was = findCondition(job, "Suspended")?.["status"] === "True";
    if (isSuspended === was) {
      return status;
    }
    const conditions = withConditionText(
      conditionsOf(job),
      {
        type: "Suspended",
        status: isSuspended ? "True" : "False",
        reason: isSuspended ? "JobSuspended" : "JobResumed",
        message: isSuspended ? "Job suspended" : "Job resumed",
      },
      clock,
      "lastProbeTime",
    );
    return { ...status, conditions, ...(isSuspended ? { startTime: undefined } : {}) };
  };

  /** Records Events when a Job finishes, is suspended or is resumed. */
  const recordChanges = (job: ApiObject, { conditions }: JsonObject) => {
    for (const { type, status, reason, message } of objectsOf(conditions)) {
      const before = findCondition(job, String(type))?.["status"] ?? "False";
      if (status !== before) {
        switch (type) {
          case "Complete":
            tell(job, "Completed", "Job completed");
            break;
          case "Failed":
            tell(job, String(reason), String(message), "Warning");
            break;
          case "Suspended":
            tell(job, status === "True" ? "Suspended" : "Resumed", String(message));
            break;
        }
      }
    }
  };

  const tell = (job: ApiObject, reason: string, message: string, type?: "Warning") =>
    events.record(job, { reason, message, ...(type === undefined ? {} : { type }) }, { component });

  const letGo = (pod: ApiObject) => {
    const current = writer.get("pods", ...placeOf(pod));
    if (
      current !== undefined &&
      stringsOf(current.metadata.finalizers).includes(trackingFinalizer)
    ) {
      writer.update("pods", withoutFinalizer(current, trackingFinalizer));
    }
  };

  /** Deletes a finished Job and its dependents once its TTL has passed. */
  const expire = (job: ApiObject): Reconciled => {
    const { ttlSecondsAfterFinished } = specOf(job);
    const end = findCondition(job, "Complete") ?? findCondition(job, "Failed");
    if (ttlSecondsAfterFinished === undefined || isGoing(job)) {
      return undefined;
    }
    const due =
      Date.parse(String(end?.["lastTransitionTime"])) + Number(ttlSecondsAfterFinished) * 1_000;
    if (due > clock.now()) {
      return due - clock.now();
    }
    writer.delete(storage, job, { propagationPolicy: "Foreground", uid: job.metadata.uid });
    return undefined;
  };

  return {
    name: "jobs",
    follows: [storage, "pods"],
    keysOf: (event, from) =>
      from === storage ? [event.key] : keysOfOwner(parts, event, { storage, kind: "Job" }),
    reconcile,
  };
}

function wantedActive(
  job: ApiObject,
  counts: { readonly active: number; readonly succeeded: number },
): number {
  const { completions, parallelism } = specOf(job);
  const most = Number(parallelism ?? 1);
  if (completions === undefined) {
    return counts.succeeded > 0 ? counts.active : most;
  }
  return Math.min(most, Math.max(0, Number(completions) - counts.succeeded));
}

function backoffLeft(
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

function isEnded(pod: ApiObject): boolean {
  return phaseOf(pod) === "Succeeded" || phaseOf(pod) === "Failed";
}

function placeOf({ metadata }: ApiObject): [namespace: string, name: string] {
  return [metadata.namespace ?? "", metadata.name ?? ""];
}
