import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { mapOf, specOf } from "../../objects/parts.js";

export const deploymentStorage = "deployments.apps";
export const setStorage = "replicasets.apps";

/** The value that means "no deadline" (the maximum int32). */
const noDeadline = 0x7fffffff;

/** Annotations that the Deployment controller sets on Deployments and ReplicaSets. */
export const annotations = {
  revision: "deployment.kubernetes.io/revision",
  revisionHistory: "deployment.kubernetes.io/revision-history",
  desired: "deployment.kubernetes.io/desired-replicas",
  max: "deployment.kubernetes.io/max-replicas",
} as const;

/** Returns the desired replicas of an object. */
export function wantedOf(object: ApiObject): number {
  return Number(specOf(object)["replicas"] ?? 1);
}

/** Returns the sum of the desired replicas. */
export function wantedOfAll(sets: readonly ApiObject[]): number {
  return sets.reduce((sum, set) => sum + wantedOf(set), 0);
}

/** Returns the sum of a numeric status field. */
export function statusSum(sets: readonly ApiObject[], field: string): number {
  return sets.reduce((sum, set) => sum + Number(getPath(set, "status", field) ?? 0), 0);
}

/** Pods allowed above and below the desired number during a rollout. */
export interface Fenceposts {
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * Returns the limits of a rolling update in pods. If both would be 0, a rollout could never proceed, so one pod may be
 * unavailable.
 */
export function fencepostsOf(deployment: ApiObject): Fenceposts {
  const strategy = mapOf(specOf(deployment)["strategy"]);
  if (strategy["type"] === "Recreate") {
    return { surge: 0, unavailable: 0 };
  }
  const rolling = mapOf(strategy["rollingUpdate"]);
  const wanted = wantedOf(deployment);
  const surge = portionOf(rolling["maxSurge"] ?? "25%", wanted, Math.ceil);
  const unavailable = portionOf(rolling["maxUnavailable"] ?? "25%", wanted, Math.floor);
  return {
    surge,
    unavailable:
      surge === 0 && unavailable === 0 ? 1 : Math.min(unavailable, wanted || unavailable),
  };
}

function portionOf(value: unknown, whole: number, round: (exact: number) => number): number {
  return typeof value === "string" && value.endsWith("%")
    ? round((Number(value.slice(0, -1)) * whole) / 100)
    : Number(value);
}

/** Returns the seconds that a rollout may stall; `undefined` without a deadline. */
export function deadlineOf(deployment: ApiObject): number | undefined {
  const seconds = Number(specOf(deployment)["progressDeadlineSeconds"] ?? noDeadline);
  return seconds === noDeadline ? undefined : seconds;
}

/** Returns an object's revision; 0 for none. */
export function revisionOf({ metadata }: ApiObject): number {
  return Number(metadata.annotations?.[annotations.revision] ?? 0) || 0;
}

/** Returns the size annotations of a Deployment's ReplicaSets. */
export function sizeAnnotations(deployment: ApiObject): JsonObject {
  const wanted = wantedOf(deployment);
  return {
    [annotations.desired]: String(wanted),
    [annotations.max]: String(wanted + fencepostsOf(deployment).surge),
  };
}

/** Annotations of a Deployment that are not copied to its ReplicaSets. */
export const ownAnnotations: ReadonlySet<string> = new Set([
  ...Object.values(annotations),
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.deployment.rollback.to",
]);

/** Source of a Deployment's Events. */
export const deploymentSource = { component: "deployment-controller" } as const;

/** Reason of the Event for scaling a ReplicaSet. */
export const scalingReason = "ScalingReplicaSet";
