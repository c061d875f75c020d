import type { ApiObject } from "../../../objects/api-object.js";
import { mapOf, objectsOf, specOf, withSpec } from "../../../objects/parts.js";
import { isUnset } from "../../../phases/validate/checks.js";

const notReadyTaint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** Keeps `podCIDR` and the first of `podCIDRs` of a node equal, and defaults its allocatable resources to its capacity. */
export function withNodeDefaults(node: ApiObject): ApiObject {
  const ranged = withAddressRanges(node);
  const status = mapOf(node["status"]);
  const { capacity, allocatable } = status;
  return capacity !== undefined && Object.keys(mapOf(allocatable)).length === 0
    ? { ...ranged, status: { ...status, allocatable: capacity } }
    : ranged;
}

function withAddressRanges(node: ApiObject): ApiObject {
  const { podCIDR, podCIDRs } = specOf(node);
  const first: unknown = Array.isArray(podCIDRs) ? podCIDRs[0] : undefined;
  if (first === (isUnset(podCIDR) ? undefined : podCIDR)) {
    return node;
  }
  return withSpec(node, isUnset(podCIDR) ? { podCIDR: first } : { podCIDRs: [podCIDR] });
}

/** Adds the not-ready taint to a new node. */
export function withNotReadyTaint(node: ApiObject): ApiObject {
  const taints = objectsOf(specOf(node)["taints"]);
  const isTainted = taints.some(
    ({ key, effect }) => key === notReadyTaint.key && effect === notReadyTaint.effect,
  );
  return isTainted ? node : withSpec(node, { taints: [...taints, notReadyTaint] });
}
