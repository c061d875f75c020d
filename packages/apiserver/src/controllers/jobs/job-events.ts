import type { ApiObject } from "../../objects/api-object.js";
import { findCondition } from "../../objects/conditions.js";
import type { JsonObject } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import type { EventText } from "../runtime/event-object.js";

/** Source of a Job's Events. */
export const jobSource = { component: "job-controller" } as const;

/** Records Events when a Job finishes, is suspended or is resumed: when one of these conditions has a new status. */
export function recordJobChanges(
  { events }: Pick<ControllerParts, "events">,
  job: ApiObject,
  { conditions }: JsonObject,
): void {
  for (const condition of objectsOf(conditions)) {
    const { type, status } = condition;
    const text = textOf(condition);
    if (text !== undefined && status !== (statusIn(job, String(type)) ?? "False")) {
      events.record(job, text, jobSource);
    }
  }
}

function statusIn(job: ApiObject, type: string): unknown {
  return findCondition(job, type)?.["status"];
}

function textOf({ type, status, reason, message }: JsonObject): EventText | undefined {
  switch (type) {
    case "Complete":
      return { reason: "Completed", message: "Job completed" };
    case "Failed":
      return { type: "Warning", reason: String(reason), message: String(message) };
    case "Suspended":
      return { reason: status === "True" ? "Suspended" : "Resumed", message: String(message) };
    default:
      return undefined;
  }
}
