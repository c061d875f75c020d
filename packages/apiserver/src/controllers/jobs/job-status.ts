import type { Clock } from "@typekube/core/internal";
import type { ApiObject } from "../../objects/api-object.js";
import { conditionsOf, findCondition, withConditionText } from "../../objects/conditions.js";
import type { JsonObject } from "../../objects/json-value.js";
import { specOf } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import type { JobOutcome } from "./job-outcome.js";

/** Adds the conditions of a finished Job to its status. */
export function withOutcome(
  job: ApiObject,
  status: JsonObject,
  { type, reason, message }: JobOutcome,
  clock: Clock,
): JsonObject {
  const first = type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
  const conditions = [first, type].reduce<JsonObject[]>((all, one) => {
    const text = { type: one, status: "True", reason, message } as const;
    return withConditionText(all, text, clock, "lastProbeTime");
  }, conditionsOf(job));
  const ended = type === "Complete" ? { completionTime: timestamp(clock) } : {};
  return { ...status, ...ended, active: 0, ready: 0, conditions };
}

/** Adds the condition of a Job that was suspended or resumed to its status. */
export function withSuspension(job: ApiObject, status: JsonObject, clock: Clock): JsonObject {
  const isSuspended = specOf(job)["suspend"] === true;
  const wasSuspended = findCondition(job, "Suspended")?.["status"] === "True";
  if (isSuspended === wasSuspended) {
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
}
