import type { Clock } from "@typekube/core/internal";
import { hasDeadline } from "../../admission/quota-scopes.js";
import { isOver } from "../../admission/quota-usage.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath, jsonEqual } from "../../objects/json-value.js";
import { specOf } from "../../objects/parts.js";
import type { StoreEvent } from "../../store/history.js";

/** Returns whether a change of an object may reduce the usage of a quota. */
export function mayFreeUsage(
  { object, previous, type }: StoreEvent,
  storage: string,
  clock: Clock,
): boolean {
  if (type === "DELETED") {
    return true;
  }
  if (type === "ADDED" || previous === undefined) {
    return false;
  }
  switch (storage) {
    case "pods":
      return (
        hasDeadline(object) !== hasDeadline(previous) ||
        (isOver(object, clock.now()) && !isOver(previous, clock.now())) ||
        !jsonEqual(resourcesOf(object), resourcesOf(previous))
      );
    case "services":
      return specOf(object)["type"] !== specOf(previous)["type"];
    case "persistentvolumeclaims":
      return !jsonEqual(
        getPath(object["status"], "allocatedResources"),
        getPath(previous["status"], "allocatedResources"),
      );
    default:
      return false;
  }
}

/** Returns the resources in a pod's container statuses. */
function resourcesOf(pod: ApiObject): unknown[] {
  const statuses = getPath(pod["status"], "containerStatuses");
  return Array.isArray(statuses) ? statuses.map((one) => getPath(one, "resources")) : [];
}
