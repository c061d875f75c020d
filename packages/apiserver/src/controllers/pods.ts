import { mapOf, objectsOf, specOf } from "../kinds/parts.js";
import { getPath, type JsonObject } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import { controllerReference, isGoing } from "./owner-references.js";

/** The phase of a pod. */
export function phaseOf(pod: ApiObject): string {
  return String(getPath(pod, "status", "phase") ?? "");
}

/** Whether a pod runs, or still may. */
export function isActive(pod: ApiObject): boolean {
  return !isGoing(pod) && phaseOf(pod) !== "Succeeded" && phaseOf(pod) !== "Failed";
}

/** Whether a pod serves. */
export function isReady(pod: ApiObject): boolean {
  return readyCondition(pod)?.["status"] === "True";
}

/**
 * Milliseconds until a ready pod has been so for long enough: 0 when it has, `undefined` when it is not ready.
 */
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

/** A pod as the template of its owner describes it. */
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

/** Orders pods by how little is lost with them: the first go first. */
export function compareForDeletion(a: ApiObject, b: ApiObject): number {
  return (
    Number(isOnNode(a)) - Number(isOnNode(b)) ||
    phaseRank(a) - phaseRank(b) ||
    Number(isReady(a)) - Number(isReady(b)) ||
    costOf(a) - costOf(b) ||
    // The younger of two goes first.
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

/** Orders texts by their code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Orders objects from the oldest to the youngest, and by name where they are as old. */
export function compareAge(a: ApiObject, b: ApiObject): number {
  return (
    compareText(a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? "") ||
    compareText(a.metadata.name ?? "", b.metadata.name ?? "")
  );
}
