import type { ApiObject } from "../../objects/api-object.js";
import { hasEnded } from "../pods/pods.js";
import type { Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { wantedOf } from "./deployment-facts.js";
import { isDone } from "./deployment-status.js";
import { findNewReplicaSet } from "./new-replica-set.js";
import { pruneReplicaSets } from "./prune-replica-sets.js";
import { reviseDeployment } from "./revise-deployment.js";
import { scaleReplicaSet } from "./scale-replica-sets.js";
import { writeProgress } from "./write-progress.js";

/** Takes one step of strategy Recreate: the newest ReplicaSet gets its pods once all old pods are gone. */
export function recreate(
  context: ControllerParts,
  deployment: ApiObject,
  sets: readonly ApiObject[],
  old: readonly ApiObject[],
): Reconciled {
  const shrunk = old.map(
    (set) => wantedOf(set) > 0 && scaleReplicaSet(context, deployment, set, 0),
  );
  if (shrunk.some(Boolean) || old.some((set) => hasPods(context, set))) {
    return writeProgress(context, deployment, sets, findNewReplicaSet(deployment, sets));
  }
  const { set, revised } = reviseDeployment(context, deployment, sets);
  scaleReplicaSet(context, revised, set, wantedOf(revised));
  if (isDone(revised)) {
    pruneReplicaSets(context, revised, sets);
  }
  return writeProgress(context, revised, [...old, set], set);
}

function hasPods({ index }: ControllerParts, set: ApiObject): boolean {
  return index.ownedIn("pods", set.metadata.uid ?? "").some((pod) => !hasEnded(pod));
}
