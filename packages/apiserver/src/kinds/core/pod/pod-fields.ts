import type { ApiObject } from "../../../objects/api-object.js";
import { getPath } from "../../../objects/json-value.js";
import { objectsOf } from "../../../objects/parts.js";

/** Reads the fields of a pod whose selectors have other names than their paths. */
export function readPodField(pod: ApiObject, field: string): unknown {
  switch (field) {
    case "status.podIPs":
      return objectsOf(getPath(pod, "status", "podIPs"))[0]?.["ip"] ?? "";
    // Name of the field before v1.
    case "spec.host":
      return getPath(pod, "spec", "nodeName") ?? "";
    default:
      return undefined;
  }
}
