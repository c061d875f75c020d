import { StatusError } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isGoing } from "../../objects/owner-references.js";
import { specOf } from "../../objects/parts.js";
import { claim, keysOfOwner, splitKey } from "../pods/owned-pods.js";
import { createOwnedPod, deleteOwnedPod } from "../pods/pod-control.js";
import { compareForDeletion, isActive, podOf } from "../pods/pods.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { type ReplicaKind, replicaSets, replicationControllers } from "./replica-kinds.js";
import { writeReplicaStatus } from "./replica-status.js";

/** Maximum number of pods created or deleted per reconcile. */
const burst = 500;

/** Keeps the desired number of pods of each ReplicaSet. */
export function createReplicaSetController(context: ControllerParts): Controller {
  return createReplicaController(context, replicaSets);
}

/** Keeps the desired number of pods of each ReplicationController. */
export function createReplicationController(context: ControllerParts): Controller {
  return createReplicaController(context, replicationControllers);
}

function createReplicaController(context: ControllerParts, kind: ReplicaKind): Controller {
  const { storage } = kind;
  return {
    name: storage,
    follows: [storage, "pods"],
    keysOf: (event, from) => (from === storage ? [event.key] : keysOfOwner(context, event, kind)),
    reconcile: (key) => reconcile(context, kind, key),
  };
}

function reconcile(context: ControllerParts, kind: ReplicaKind, key: string): Reconciled {
  const set = context.writer.get(kind.storage, ...splitKey(key));
  if (set === undefined) {
    return undefined;
  }
  const pods = claim(context, set, "pods", isActive);
  const problem = isGoing(set) ? undefined : adjustPods(context, kind, set, pods);
  const wait = writeReplicaStatus(context, kind, set, pods, problem);
  if (problem !== undefined) {
    throw problem;
  }
  return wait;
}

/** Creates or deletes pods; returns the error that prevented a creation. */
export function adjustPods(
  context: ControllerParts,
  { component }: ReplicaKind,
  set: ApiObject,
  pods: readonly ApiObject[],
): StatusError | undefined {
  const active = pods.filter(isActive);
  const wanted = Number(specOf(set)["replicas"] ?? 1);
  const missing = Math.min(wanted - active.length, burst);
  for (let at = 0; at < missing; at++) {
    try {
      createOwnedPod(context, set, podOf(set), { component });
    } catch (error) {
      if (error instanceof StatusError) {
        return error;
      }
      throw error;
    }
  }
  const surplus = Math.min(active.length - wanted, burst);
  for (const pod of surplus > 0 ? active.sort(compareForDeletion).slice(0, surplus) : []) {
    deleteOwnedPod(context, set, pod, { component });
  }
  return undefined;
}
