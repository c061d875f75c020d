import type { Clock } from "@typekube/core/internal";
import { objectsOf } from "../kinds/parts.js";
import { timestamp } from "../server-context.js";
import { getPath, type JsonObject } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";

/** What a condition says; its times are the clock's. */
export interface ConditionText {
  readonly type: string;
  readonly status: "False" | "True" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
}

/** A condition of an object's status. */
export function findCondition(object: ApiObject, type: string): JsonObject | undefined {
  return conditionsOf(object).find((one) => one["type"] === type);
}

/** The conditions of an object's status. */
export function conditionsOf(object: ApiObject): JsonObject[] {
  return objectsOf(getPath(object, "status", "conditions"));
}

/**
 * The conditions with one set. One that says the same stays where it is, as it is; another comes last, and keeps the time
 * of its last transition while its status stays.
 *
 * @param timeField - the other time that conditions of the kind have.
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
