import type { Clock } from "@typekube/core/internal";
import type { ApiObject } from "../../objects/api-object.js";
import { conditionsOf, withConditionText } from "../../objects/conditions.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf } from "../../objects/parts.js";
import { fencepostsOf, statusSum, wantedOf, wantedOfAll } from "./deployment-facts.js";

/** Computes a Deployment's status from its ReplicaSets; of the conditions it updates only Available. */
export function statusOf(
  deployment: ApiObject,
  sets: readonly ApiObject[],
  newest: ApiObject | undefined,
  clock: Clock,
): JsonObject {
  const available = statusSum(sets, "availableReplicas");
  const isEnough = available >= wantedOf(deployment) - fencepostsOf(deployment).unavailable;
  const conditions = withConditionText(
    conditionsOf(deployment),
    isEnough
      ? {
          type: "Available",
          status: "True",
          reason: "MinimumReplicasAvailable",
          message: "Deployment has minimum availability.",
        }
      : {
          type: "Available",
          status: "False",
          reason: "MinimumReplicasUnavailable",
          message: "Deployment does not have minimum availability.",
        },
    clock,
    "lastUpdateTime",
  );
  const { collisionCount } = mapOf(deployment["status"]);
  return {
    observedGeneration: deployment.metadata.generation,
    replicas: statusSum(sets, "replicas"),
    updatedReplicas: newest === undefined ? 0 : statusSum([newest], "replicas"),
    readyReplicas: statusSum(sets, "readyReplicas"),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, wantedOfAll(sets) - available),
    terminatingReplicas: statusSum(sets, "terminatingReplicas"),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    conditions,
  };
}

/** Returns whether all pods of a Deployment have the newest template and are available. */
export function isComplete(deployment: ApiObject, status: JsonObject): boolean {
  const wanted = wantedOf(deployment);
  return (
    Number(status["updatedReplicas"] ?? 0) === wanted &&
    Number(status["replicas"] ?? 0) === wanted &&
    Number(status["availableReplicas"] ?? 0) === wanted
  );
}

/** Returns whether a Deployment's stored status says that its rollout is complete. */
export function isDone(deployment: ApiObject): boolean {
  return isComplete(deployment, mapOf(deployment["status"]));
}
