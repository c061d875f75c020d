import { mapOf, specOf } from "../../kinds/parts.js";
import { getPath, type JsonObject } from "../../store/json-value.js";
import type { ApiObject } from "../../store/stored-object.js";

/** The annotations by which a Deployment and its ReplicaSets speak to each other. */
export const annotations = {
  revision: "deployment.kubernetes.io/revision",
  revisionHistory: "deployment.kubernetes.io/revision-history",
  desired: "deployment.kubernetes.io/desired-replicas",
  max: "deployment.kubernetes.io/max-replicas",
} as const;

/** How many replicas somebody wants. */
export function wantedOf(object: ApiObject): number {
  return Number(specOf(object)["replicas"] ?? 1);
}

/** How many replicas some objects want together. */
export function wantedOfAll(sets: readonly ApiObject[]): number {
  return sets.reduce((sum, set) => sum + wantedOf(set), 0);
}

/** A number of the status, summed up. */
export function statusSum(sets: readonly ApiObject[], field: string): number {
  return sets.reduce((sum, set) => sum + Number(getPath(set, "status", field) ?? 0), 0);
}

/** How many pods a rollout may have too many and too few. */
export interface Fenceposts {
  readonly surge: number;
  readonly unavailable: number;
}

/** The limits of a rolling update in pods. Both 0 would never end: then one may be missing. */
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

/** The revision that an object carries; 0 for none. */
export function revisionOf({ metadata }: ApiObject): number {
  return Number(metadata.annotations?.[annotations.revision] ?? 0) || 0;
}

/** What a Deployment tells its ReplicaSets. */
export function sizeAnnotations(deployment: ApiObject): JsonObject {
  const wanted = wantedOf(deployment);
  return {
    [annotations.desired]: String(wanted),
    [annotations.max]: String(wanted + fencepostsOf(deployment).surge),
  };
}

/** Annotations of a Deployment that its ReplicaSets do not get. */
export const ownAnnotations: ReadonlySet<string> = new Set([
  ...Object.values(annotations),
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.deployment.rollback.to",
]);

/** The source of a Deployment's Events. */
export const deploymentSource = { component: "deployment-controller" } as const;

/** The reason of the Event of a change in the size of a ReplicaSet. */
export const scalingReason = "ScalingReplicaSet";
