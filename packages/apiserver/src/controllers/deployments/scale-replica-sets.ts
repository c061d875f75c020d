import type { ApiObject } from "../../objects/api-object.js";
import { specOf } from "../../objects/parts.js";
import { compareAge } from "../pods/pods.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import {
  annotations,
  deploymentSource,
  fencepostsOf,
  scalingReason,
  setStorage,
  sizeAnnotations,
  statusSum,
  wantedOf,
  wantedOfAll,
} from "./deployment-facts.js";

/** Sets a ReplicaSet's replicas and its size annotations. Returns whether the replicas changed. */
export function scaleReplicaSet(
  { writer, events }: ControllerParts,
  deployment: ApiObject,
  set: ApiObject,
  replicas: number,
): boolean {
  const sizes = sizeAnnotations(deployment) as Record<string, string>;
  const known = Object.keys(sizes).every((key) => set.metadata.annotations?.[key] === sizes[key]);
  const isNew = wantedOf(set) !== replicas;
  if (isNew || !known) {
    writer.update(setStorage, {
      ...set,
      metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, ...sizes } },
      spec: { ...specOf(set), replicas },
    } as ApiObject);
  }
  if (isNew) {
    const before = wantedOf(set);
    const message = `Scaled ${before < replicas ? "up" : "down"} replica set ${set.metadata.name} from ${before} to ${replicas}`;
    events.record(deployment, { reason: scalingReason, message }, deploymentSource);
  }
  return isNew;
}

/** Returns whether a Deployment's replicas changed since its ReplicaSets were annotated. */
export function isScaled(deployment: ApiObject, sets: readonly ApiObject[]): boolean {
  return sets.some(
    (set) =>
      wantedOf(set) > 0 &&
      set.metadata.annotations?.[annotations.desired] !== undefined &&
      set.metadata.annotations[annotations.desired] !== String(wantedOf(deployment)),
  );
}

/** Distributes a changed number of replicas: to the only active ReplicaSet, or to all in proportion to their sizes. */
export function shareOut(
  context: ControllerParts,
  deployment: ApiObject,
  newest: ApiObject | undefined,
  old: readonly ApiObject[],
): void {
  const wanted = wantedOf(deployment);
  const all = newest === undefined ? [...old] : [...old, newest];
  const active = all.filter((set) => wantedOf(set) > 0);
  const [only] = active.length > 0 ? active : [newest ?? [...old].sort(compareAge).at(-1)];
  if (active.length <= 1) {
    if (only !== undefined) {
      scaleReplicaSet(context, deployment, only, wanted);
    }
    return;
  }
  if (
    newest !== undefined &&
    wantedOf(newest) === wanted &&
    statusSum([newest], "availableReplicas") === wanted
  ) {
    for (const set of old.filter((one) => wantedOf(one) > 0)) {
      scaleReplicaSet(context, deployment, set, 0);
    }
    return;
  }
  if (isRecreated(deployment)) {
    return;
  }
  const allowed = wanted > 0 ? wanted + fencepostsOf(deployment).surge : 0;
  let left = allowed - wantedOfAll(active);
  // The largest first. Among equals, the newest first when scaling up, the oldest first when scaling down.
  const growing = left > 0;
  active.sort(
    (a, b) => wantedOf(b) - wantedOf(a) || (growing ? compareAge(b, a) : compareAge(a, b)),
  );
  const sizes = active.map((set) => {
    const most = Number(set.metadata.annotations?.[annotations.max] ?? wanted) || wanted;
    const share = Math.round((wantedOf(set) * allowed) / most) - wantedOf(set);
    const taken = growing ? Math.min(share, left) : Math.max(share, left);
    left -= taken;
    return wantedOf(set) + taken;
  });
  active.forEach((set, at) => {
    const size = Math.max(0, (sizes[at] ?? 0) + (at === 0 ? left : 0));
    scaleReplicaSet(context, deployment, set, size);
  });
}

/** Returns whether a Deployment deletes its old pods before it creates new ones. */
export function isRecreated(deployment: ApiObject): boolean {
  return (specOf(deployment)["strategy"] as { type?: unknown } | undefined)?.type === "Recreate";
}

/** Returns the stored state of ReplicaSets, without those that are gone. */
export function reread({ writer }: ControllerParts, sets: readonly ApiObject[]): ApiObject[] {
  return sets
    .map(({ metadata }) => writer.get(setStorage, metadata.namespace ?? "", metadata.name ?? ""))
    .filter((set) => set !== undefined);
}
