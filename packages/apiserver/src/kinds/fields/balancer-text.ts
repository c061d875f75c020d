import { mapOf, objectsOf } from "../../objects/parts.js";

/** Returns the load balancer addresses, sorted and without duplicates. */
export function balancerText(status: unknown): string {
  const ingress = objectsOf(mapOf(mapOf(status)["loadBalancer"])["ingress"]);
  const addresses = ingress.map(({ ip, hostname }) => String(ip || hostname || ""));
  return [...new Set(addresses.filter((one) => one !== ""))].sort().join(",");
}
