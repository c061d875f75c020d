import type { JsonObject } from "../../../objects/json-value.js";

/** Returns whether a Service is exposed by a load balancer. */
export function isBalanced({ type }: JsonObject): boolean {
  return type === "LoadBalancer";
}

/** Returns whether a Service is exposed outside the cluster. */
export function isExposed({ type }: JsonObject): boolean {
  return type === "LoadBalancer" || type === "NodePort";
}

/** Returns whether a load balancer checks the health of the nodes with endpoints of a Service. */
export function hasHealthCheck(spec: JsonObject): boolean {
  return isBalanced(spec) && spec["externalTrafficPolicy"] === "Local";
}
