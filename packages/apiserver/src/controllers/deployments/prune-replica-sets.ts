import type { ApiObject } from "../../objects/api-object.js";
import { getPath } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { specOf } from "../../objects/parts.js";
import { compareAge } from "../pods/pods.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { revisionOf, setStorage, wantedOf } from "./deployment-facts.js";
import { findNewReplicaSet } from "./new-replica-set.js";
import { reread } from "./scale-replica-sets.js";

/** Deletes old ReplicaSets without replicas beyond the revision history limit. */
export function pruneReplicaSets(
  context: ControllerParts,
  deployment: ApiObject,
  sets: readonly ApiObject[],
): void {
  const limit = Number(specOf(deployment)["revisionHistoryLimit"] ?? 10);
  const newest = findNewReplicaSet(deployment, sets);
  const others = sets.filter((set) => set.metadata.uid !== newest?.metadata.uid);
  const idle = reread(context, others)
    .filter(
      (set) =>
        wantedOf(set) === 0 &&
        Number(getPath(set, "status", "replicas") ?? 0) === 0 &&
        !isGoing(set),
    )
    .sort((a, b) => revisionOf(a) - revisionOf(b) || compareAge(a, b));
  for (const set of idle.slice(0, Math.max(0, idle.length - limit))) {
    context.writer.delete(setStorage, set);
  }
}
