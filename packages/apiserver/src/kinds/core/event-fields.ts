import type { ApiObject } from "../../objects/api-object.js";
import { getPath } from "../../objects/json-value.js";

/** Reads the field of an Event whose selector has another name than its path. */
export function readEventField(event: ApiObject, field: string): unknown {
  return field === "source"
    ? (getPath(event, "source", "component") ?? event["reportingComponent"] ?? "")
    : undefined;
}
