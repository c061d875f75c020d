import { parseQuantity } from "@typekube/core/quantity";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";

/** Returns the QoS class of a pod: `Guaranteed`, `Burstable` or `BestEffort`. */
export function qosClass(spec: JsonObject): string {
  const containers = [...objectsOf(spec["containers"]), ...objectsOf(spec["initContainers"])];
  const resources = containers.map((container) => mapOf(container["resources"]));
  if (resources.every((part) => !has(part, "limits") && !has(part, "requests"))) {
    return "BestEffort";
  }
  const guaranteed = resources.every((part) => {
    const limits = mapOf(part["limits"]);
    const requests = mapOf(part["requests"] ?? limits);
    return ["cpu", "memory"].every(
      (name) => limits[name] !== undefined && requests[name] === limits[name],
    );
  });
  return guaranteed ? "Guaranteed" : "Burstable";
}

function has(part: JsonObject, key: string): boolean {
  return ["cpu", "memory"].some(
    (name) => (parseQuantity(mapOf(part[key])[name])?.nanos ?? 0n) > 0n,
  );
}
