import type { Clock } from "@typekube/core/internal";
import type { ApiObject } from "../../objects/api-object.js";
import { type ConditionText, conditionsOf, withConditionText } from "../../objects/conditions.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import { deadlineOf } from "./deployment-facts.js";
import { isComplete } from "./deployment-status.js";

/** Adds the progress of a rollout to the status. */
export function withProgress(
  deployment: ApiObject,
  status: JsonObject,
  newest: ApiObject | undefined,
  clock: Clock,
): JsonObject {
  const deadline = deadlineOf(deployment);
  if (deadline === undefined) {
    return status;
  }
  const current = progressOf(status);
  const subject = `ReplicaSet "${newest?.metadata.name ?? ""}"`;
  const isOver =
    status["replicas"] === status["updatedReplicas"] &&
    current?.["reason"] === "NewReplicaSetAvailable";
  if (isOver) {
    return status;
  }
  if (isComplete(deployment, status)) {
    return withCondition(status, clock, {
      type: "Progressing",
      status: "True",
      reason: "NewReplicaSetAvailable",
      message: `${subject} has successfully progressed.`,
    });
  }
  if (hasMoved(mapOf(deployment["status"]), status)) {
    return withMovement(status, clock, `${subject} is progressing.`);
  }
  return isTimedOut(status, deadline, clock)
    ? withCondition(status, clock, {
        type: "Progressing",
        status: "False",
        reason: "ProgressDeadlineExceeded",
        message: `${subject} has timed out progressing.`,
      })
    : status;
}

/** Marks progress: renews the condition's update time even if its text is unchanged. */
function withMovement(status: JsonObject, clock: Clock, message: string): JsonObject {
  const before = progressOf(status);
  const others = conditionsOf({ status } as unknown as ApiObject).filter((one) => one !== before);
  const now = timestamp(clock);
  const lastTransitionTime = before?.["status"] === "True" ? before["lastTransitionTime"] : now;
  const text = { type: "Progressing", status: "True", reason: "ReplicaSetUpdated", message };
  return {
    ...status,
    conditions: [...others, { ...text, lastUpdateTime: now, lastTransitionTime }],
  };
}

/** Sets one condition of the status. */
export function withCondition(status: JsonObject, clock: Clock, text: ConditionText): JsonObject {
  const conditions = conditionsOf({ status } as unknown as ApiObject);
  return { ...status, conditions: withConditionText(conditions, text, clock, "lastUpdateTime") };
}

/**
 * Returns the milliseconds until a stalled rollout exceeds its deadline; `undefined` without a deadline or a rollout in
 * progress.
 */
export function timesOutIn(
  deployment: ApiObject,
  status: JsonObject,
  clock: Clock,
): number | undefined {
  const deadline = deadlineOf(deployment);
  const current = progressOf(status);
  const isWaiting =
    current?.["status"] === "True" && current["reason"] !== "NewReplicaSetAvailable";
  return deadline === undefined || !isWaiting
    ? undefined
    : Math.max(1, updatedAt(current) + deadline * 1_000 - clock.now() + 1_000);
}

function isTimedOut(status: JsonObject, deadline: number, clock: Clock): boolean {
  const current = progressOf(status);
  return (
    current !== undefined &&
    current["reason"] !== "NewReplicaSetAvailable" &&
    updatedAt(current) + deadline * 1_000 < clock.now()
  );
}

function hasMoved(before: JsonObject, now: JsonObject): boolean {
  const grown = (field: string) => Number(now[field] ?? 0) > Number(before[field] ?? 0);
  const old = (status: JsonObject) =>
    Number(status["replicas"] ?? 0) - Number(status["updatedReplicas"] ?? 0);
  return (
    grown("updatedReplicas") ||
    grown("readyReplicas") ||
    grown("availableReplicas") ||
    old(now) < old(before)
  );
}

/** Returns the Progressing condition. */
export function progressOf(status: JsonObject): JsonObject | undefined {
  return conditionsOf({ status } as unknown as ApiObject).find(
    (one) => one["type"] === "Progressing",
  );
}

function updatedAt(condition: JsonObject): number {
  return Date.parse(String(getPath(condition, "lastUpdateTime") ?? ""));
}
