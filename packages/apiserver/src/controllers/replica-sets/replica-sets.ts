import { StatusError } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { conditionsOf, withConditionText } from "../../objects/conditions.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { claim, keysOfOwner, splitKey } from "../pods/owned-pods.js";
import { createPodControl } from "../pods/pod-control.js";
import { availableIn, compareForDeletion, isActive, isReady, podOf } from "../pods/pods.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { writeIfChanged } from "../runtime/write-status.js";

/** A kind that keeps a fixed number of pods. */
interface ReplicaKind {
  readonly kind: string;
  readonly storage: string;
  /** Source component of its Events. */
  readonly component: string;
}

const replicaSets: ReplicaKind = {
  kind: "ReplicaSet",
  storage: "replicasets.apps",
  component: "replicaset-controller",
};

const replicationControllers: ReplicaKind = {
  kind: "ReplicationController",
  storage: "replicationcontrollers",
  component: "replication-controller",
};

/** Maximum number of pods created or deleted per reconcile. */
const burst = 500;

/** Keeps the desired number of pods of each ReplicaSet. */
export function createReplicaSetController(parts: ControllerParts): Controller {
  return createReplicaController(parts, replicaSets);
}

/** Keeps the desired number of pods of each ReplicationController. */
export function createReplicationController(parts: ControllerParts): Controller {
  return createReplicaController(parts, replicationControllers);
}

function createReplicaController(
  parts: ControllerParts,
  { kind, storage, component }: ReplicaKind,
): Controller {
  const { server, writer } = parts;
  const podControl = createPodControl(parts, component);

  const reconcile = (key: string): Reconciled => {
    const set = writer.get(storage, ...splitKey(key));
    if (set === undefined) {
      return undefined;
    }
    const pods = claim(parts, set, "pods", isActive);
    const active = pods.filter(isActive);
    const wanted = Number(specOf(set)["replicas"] ?? 1);
    const problem = isGoing(set) ? undefined : manage(set, active, wanted);
    return writeStatus(set, pods, problem);
  };

  /** Creates or deletes pods; returns the error that prevented a creation. */
  const manage = (
    set: ApiObject,
    active: readonly ApiObject[],
    wanted: number,
  ): StatusError | undefined => {
    const missing = Math.min(wanted - active.length, burst);
    for (let at = 0; at < missing; at++) {
      try {
        podControl.create(set, podOf(set));
      } catch (error) {
        if (error instanceof StatusError) {
          return error;
        }
        throw error;
      }
    }
    const surplus = Math.min(active.length - wanted, burst);
    for (const pod of surplus > 0 ? [...active].sort(compareForDeletion).slice(0, surplus) : []) {
      podControl.delete(set, pod);
    }
    return undefined;
  };

  const writeStatus = (
    set: ApiObject,
    pods: readonly ApiObject[],
    problem: StatusError | undefined,
  ): Reconciled => {
    const now = server.clock.now();
    const minReadySeconds = Number(specOf(set)["minReadySeconds"] ?? 0);
    // Like a controller that reads from a cache, count the pods created or deleted just now only after their events.
    const active = pods.filter(isActive);
    const waits = active
      .map((pod) => availableIn(pod, minReadySeconds, now))
      .filter((ms) => ms !== undefined);
    const labels = mapOf(getPath(specOf(set), "template", "metadata", "labels"));
    const status: JsonObject = {
      replicas: active.length,
      fullyLabeledReplicas: active.filter((pod) => hasLabels(pod, labels)).length,
      readyReplicas: active.filter(isReady).length,
      availableReplicas: waits.filter((ms) => ms === 0).length,
      ...(kind === "ReplicaSet" ? { terminatingReplicas: pods.filter(isGoing).length } : {}),
      observedGeneration: set.metadata.generation,
    };
    const before = conditionsOf(set);
    const conditions =
      problem === undefined
        ? before.filter((one) => one["type"] !== "ReplicaFailure")
        : withConditionText(
            before,
            {
              type: "ReplicaFailure",
              status: "True",
              reason: "FailedCreate",
              message: problem.message,
            },
            server.clock,
          );
    writeIfChanged(parts, storage, set, {
      ...status,
      ...(conditions.length > 0 ? { conditions } : {}),
    });
    if (problem !== undefined) {
      throw problem;
    }
    const later = waits.filter((ms) => ms > 0);
    return later.length === 0 ? undefined : Math.min(...later);
  };

  return {
    name: storage,
    follows: [storage, "pods"],
    keysOf: (event, from) =>
      from === storage ? [event.key] : keysOfOwner(parts, event, { storage, kind }),
    reconcile,
  };
}

function hasLabels(pod: ApiObject, labels: JsonObject): boolean {
  return Object.keys(labels).every((key) => pod.metadata.labels?.[key] === labels[key]);
}
