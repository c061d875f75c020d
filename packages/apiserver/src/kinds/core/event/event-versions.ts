import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, setOwn } from "../../../objects/json-value.js";

/** Field names of events.k8s.io that differ from the core group. */
const newNames = new Map([
  ["count", "deprecatedCount"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["involvedObject", "regarding"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["message", "note"],
  ["reportingComponent", "reportingController"],
  ["source", "deprecatedSource"],
]);
const oldNames = new Map([...newNames].map(([old, now]) => [now, old]));

/** Fields that the core group always has, and events.k8s.io only when not empty. */
const reporters = ["reportingController", "reportingInstance"];

/** Converts an Event to the other API group; both groups serve the same Events. */
export function convertEvent(event: ApiObject, apiVersion: string): ApiObject {
  if (apiVersion === "v1") {
    return {
      ...renamed(event, oldNames),
      reportingComponent: event["reportingController"] ?? "",
      reportingInstance: event["reportingInstance"] ?? "",
    };
  }
  const converted = renamed(event, newNames);
  for (const field of reporters) {
    if (converted[field] === "") {
      delete converted[field];
    }
  }
  return converted;
}

function renamed(event: ApiObject, names: ReadonlyMap<string, string>): ApiObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(event)) {
    setOwn(copy, names.get(key) ?? key, event[key]);
  }
  return copy as ApiObject;
}
