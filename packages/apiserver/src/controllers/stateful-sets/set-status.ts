import type { ApiObject } from "../../objects/api-object.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { availableIn, isReady } from "../pods/pods.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { writeIfChanged } from "../runtime/write-status.js";
import { revisionOf, setStorage } from "./set-facts.js";

/** Writes the status of a StatefulSet by its current pods. */
export function writeSetStatus(context: ControllerParts, set: ApiObject, revision: string): void {
  const { server, index } = context;
  const pods = index.ownedIn("pods", set.metadata.uid ?? "").filter((pod) => !isGoing(pod));
  const now = server.clock.now();
  const minReadySeconds = Number(specOf(set)["minReadySeconds"] ?? 0);
  const updated = pods.filter((pod) => revisionOf(pod) === revision).length;
  const before = mapOf(set["status"])["currentRevision"];
  const isRolledOut =
    updated === pods.length &&
    pods.every(isReady) &&
    updated === Number(specOf(set)["replicas"] ?? 1);
  const currentRevision = before === undefined || isRolledOut ? revision : before;
  writeIfChanged(context, setStorage, set, {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    readyReplicas: pods.filter(isReady).length,
    updatedReplicas: updated,
    currentRevision,
    updateRevision: revision,
    collisionCount: 0,
    availableReplicas: pods.filter((pod) => availableIn(pod, minReadySeconds, now) === 0).length,
    currentReplicas: pods.filter((pod) => revisionOf(pod) === currentRevision).length,
  });
}
