import type { StatusError } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { conditionsOf, withConditionText } from "../../objects/conditions.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { availableIn, isActive, isReady } from "../pods/pods.js";
import type { Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { writeIfChanged } from "../runtime/write-status.js";
import type { ReplicaKind } from "./replica-kinds.js";

/**
 * Writes the status of a ReplicaSet or ReplicationController. Like a controller that reads from a cache, it counts the
 * pods from before the reconcile: those created or deleted just now count only after their events.
 *
 * @param problem - the error that prevented the creation of a pod.
 * @returns the milliseconds until the next ready pod counts as available.
 */
export function writeReplicaStatus(
  context: ControllerParts,
  { kind, storage }: ReplicaKind,
  set: ApiObject,
  pods: readonly ApiObject[],
  problem: StatusError | undefined,
): Reconciled {
  const active = pods.filter(isActive);
  const labels = mapOf(getPath(specOf(set), "template", "metadata", "labels"));
  const waits = waitsOf(set, pods, context.server.clock.now());
  const conditions = conditionsWith(context, set, problem);
  writeIfChanged(context, storage, set, {
    replicas: active.length,
    fullyLabeledReplicas: active.filter((pod) => hasLabels(pod, labels)).length,
    readyReplicas: active.filter(isReady).length,
    availableReplicas: waits.filter((ms) => ms === 0).length,
    ...(kind === "ReplicaSet" ? { terminatingReplicas: pods.filter(isGoing).length } : {}),
    observedGeneration: set.metadata.generation,
    ...(conditions.length > 0 ? { conditions } : {}),
  });
  const later = waits.filter((ms) => ms > 0);
  return later.length === 0 ? undefined : Math.min(...later);
}

/** Returns the milliseconds until each ready pod counts as available. */
function waitsOf(set: ApiObject, pods: readonly ApiObject[], now: number): number[] {
  const minReadySeconds = Number(specOf(set)["minReadySeconds"] ?? 0);
  return pods
    .filter(isActive)
    .map((pod) => availableIn(pod, minReadySeconds, now))
    .filter((ms) => ms !== undefined);
}

function conditionsWith(
  { server }: ControllerParts,
  set: ApiObject,
  problem: StatusError | undefined,
): JsonObject[] {
  const before = conditionsOf(set);
  if (problem === undefined) {
    return before.filter((one) => one["type"] !== "ReplicaFailure");
  }
  const { message } = problem;
  const text = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message } as const;
  return withConditionText(before, text, server.clock);
}

function hasLabels(pod: ApiObject, labels: JsonObject): boolean {
  return Object.keys(labels).every((key) => pod.metadata.labels?.[key] === labels[key]);
}
