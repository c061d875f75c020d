import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { controllerReference, isGoing } from "../../objects/owner-references.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";

/** Returns the phase of a pod. */
export function phaseOf(pod: ApiObject): string {
  return String(getPath(pod, "status", "phase") ?? "");
}

/** Returns whether a pod is neither finished nor being deleted. */
export function isActive(pod: ApiObject): boolean {
  return !isGoing(pod) && !hasEnded(pod);
}

/** Returns whether all containers of a pod have ended for good. */
export function hasEnded(pod: ApiObject): boolean {
  return phaseOf(pod) === "Succeeded" || phaseOf(pod) === "Failed";
}

/** Returns whether a pod is ready. */
export function isReady(pod: ApiObject): boolean {
  return readyCondition(pod)?.["status"] === "True";
}

/** Returns the milliseconds until a ready pod counts as available: 0 when it does, `undefined` when it is not ready. */
export function availableIn(
  pod: ApiObject,
  minReadySeconds: number,
  now: number,
): number | undefined {
  const condition = readyCondition(pod);
  if (condition?.["status"] !== "True") {
    return undefined;
  }
  const since = Date.parse(String(condition["lastTransitionTime"] ?? ""));
  return minReadySeconds === 0 ? 0 : Math.max(0, since + minReadySeconds * 1_000 - now);
}

function readyCondition(pod: ApiObject): JsonObject | undefined {
  return objectsOf(getPath(pod, "status", "conditions")).find((one) => one["type"] === "Ready");
}

/** Returns a pod from its owner's template. */
export function podOf(owner: ApiObject, more: JsonObject = {}): ApiObject {
  const template = mapOf(specOf(owner)["template"]);
  const { labels, annotations, finalizers } = mapOf(template["metadata"]);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: `${owner.metadata.name}-`,
      namespace: owner.metadata.namespace,
      labels,
      annotations,
      finalizers,
      ownerReferences: [controllerReference(owner)],
      ...more,
    },
    spec: template["spec"],
  } as ApiObject;
}

const deletionCost = "controller.kubernetes.io/pod-deletion-cost";

/** Compares pods by deletion priority: those whose loss costs least come first. */
export function compareForDeletion(a: ApiObject, b: ApiObject): number {
  return (
    Number(isOnNode(a)) - Number(isOnNode(b)) ||
    phaseRank(a) - phaseRank(b) ||
    Number(isReady(a)) - Number(isReady(b)) ||
    costOf(a) - costOf(b) ||
    // The younger one comes first.
    compareText(b.metadata.creationTimestamp ?? "", a.metadata.creationTimestamp ?? "") ||
    compareText(a.metadata.name ?? "", b.metadata.name ?? "")
  );
}

function isOnNode(pod: ApiObject): boolean {
  return (getPath(pod, "spec", "nodeName") ?? "") !== "";
}

function phaseRank(pod: ApiObject): number {
  return ["Pending", "Unknown", "Running"].indexOf(phaseOf(pod));
}

function costOf({ metadata }: ApiObject): number {
  return Number(metadata.annotations?.[deletionCost] ?? 0);
}

/** Compares texts by code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares objects by age, the oldest first, then by name. */
export function compareAge(a: ApiObject, b: ApiObject): number {
  return (
    compareText(a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? "") ||
    compareText(a.metadata.name ?? "", b.metadata.name ?? "")
  );
}
