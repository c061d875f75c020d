import type { ApiObject } from "../../objects/api-object.js";
import { getPath } from "../../objects/json-value.js";
import { compareAge } from "../pods/pods.js";
import type { Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { fencepostsOf, statusSum, wantedOf, wantedOfAll } from "./deployment-facts.js";
import { isDone } from "./deployment-status.js";
import { newReplicas } from "./new-replica-set.js";
import { pruneReplicaSets } from "./prune-replica-sets.js";
import { reviseDeployment } from "./revise-deployment.js";
import { scaleReplicaSet } from "./scale-replica-sets.js";
import { writeProgress } from "./write-progress.js";

/** Takes one step of a rolling update: grows the newest ReplicaSet, else shrinks old ones, else deletes idle ones. */
export function rollOut(
  context: ControllerParts,
  deployment: ApiObject,
  sets: readonly ApiObject[],
  old: readonly ApiObject[],
): Reconciled {
  const { set, revised } = reviseDeployment(context, deployment, sets);
  if (
    !growNew(context, revised, set, old) &&
    !shrinkOld(context, revised, set, old) &&
    isDone(revised)
  ) {
    pruneReplicaSets(context, revised, sets);
  }
  return writeProgress(context, revised, [...old, set], set);
}

/** Scales up the newest ReplicaSet as far as the surge limit allows. Returns whether anything changed. */
export function growNew(
  context: ControllerParts,
  deployment: ApiObject,
  newest: ApiObject,
  old: readonly ApiObject[],
): boolean {
  const wanted = wantedOf(deployment);
  const now = wantedOf(newest);
  const next = now >= wanted ? wanted : newReplicas(deployment, [...old, newest], now);
  return next !== now && scaleReplicaSet(context, deployment, newest, next);
}

/**
 * Scales down old ReplicaSets, unavailable replicas first, as far as the availability limit allows. Returns whether
 * anything changed.
 */
export function shrinkOld(
  context: ControllerParts,
  deployment: ApiObject,
  newest: ApiObject,
  old: readonly ApiObject[],
): boolean {
  const active = old.filter((set) => wantedOf(set) > 0).sort(compareAge);
  const least = wantedOf(deployment) - fencepostsOf(deployment).unavailable;
  const missing = wantedOf(newest) - statusSum([newest], "availableReplicas");
  const most = wantedOfAll([...active, newest]) - least - missing;
  if (active.length === 0 || most <= 0) {
    return false;
  }
  const sizes = new Map(active.map((set) => [set, wantedOf(set)]));
  let left = most;
  for (const set of active) {
    const size = wantedOf(set);
    const taken = Math.min(left, size - Number(getPath(set, "status", "availableReplicas") ?? 0));
    if (taken > 0) {
      sizes.set(set, size - taken);
      left -= taken;
    }
  }
  let surplus = statusSum([...active, newest], "availableReplicas") - least;
  for (const set of active) {
    const size = sizes.get(set) ?? 0;
    const taken = Math.min(size, surplus);
    if (taken > 0) {
      sizes.set(set, size - taken);
      surplus -= taken;
    }
  }
  return active
    .map(
      (set) =>
        sizes.get(set) !== wantedOf(set) &&
        scaleReplicaSet(context, deployment, set, sizes.get(set) ?? 0),
    )
    .some(Boolean);
}
