import type { ApiObject } from "../../objects/api-object.js";
import { getPath } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";

/** Returns the node of a pod, or the node that its affinity selects while it is unscheduled; empty without either. */
export function nodeOf(pod: ApiObject): string {
  const terms = getPath(
    pod,
    "spec",
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
  );
  const meant = objectsOf(objectsOf(terms)[0]?.["matchFields"]).find(
    (one) => one["key"] === "metadata.name",
  );
  const name =
    getPath(pod, "spec", "nodeName") || (meant?.["values"] as readonly unknown[] | undefined)?.[0];
  return typeof name === "string" ? name : "";
}
