import type { Clock } from "@typekube/core/internal";
import type { ApiObject } from "./api-object.js";
import { getPath, type JsonObject } from "./json-value.js";
import { objectsOf } from "./parts.js";
import { timestamp } from "./timestamp.js";

/** Content of a condition without its times, which come from the clock. */
export interface ConditionText {
  readonly type: string;
  readonly status: "False" | "True" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
}

/** Returns a condition of an object's status. */
export function findCondition(object: ApiObject, type: string): JsonObject | undefined {
  return conditionsOf(object).find((one) => one["type"] === type);
}

/** Returns the conditions of an object's status. */
export function conditionsOf(object: ApiObject): JsonObject[] {
  return objectsOf(getPath(object, "status", "conditions"));
}

/**
 * Sets one condition in a list. An unchanged condition stays in place with its times; a changed one moves to the end,
 * and keeps its last transition time unless its status changes.
 *
 * @param timeField - the second time field of the kind's conditions.
 */
export function withConditionText(
  conditions: readonly JsonObject[],
  text: ConditionText,
  clock: Clock,
  timeField?: "lastProbeTime" | "lastUpdateTime",
): JsonObject[] {
  const before = conditions.find((one) => one["type"] === text.type);
  if (
    before !== undefined &&
    before["status"] === text.status &&
    before["reason"] === text.reason
  ) {
    return [...conditions];
  }
  const now = timestamp(clock);
  const lastTransitionTime =
    before?.["status"] === text.status ? before["lastTransitionTime"] : now;
  const times = timeField === undefined ? {} : { [timeField]: now };
  return [
    ...conditions.filter((one) => one["type"] !== text.type),
    { ...text, ...times, lastTransitionTime },
  ];
}
