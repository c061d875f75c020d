import { isGoing } from "../../objects/owner-references.js";
import { specOf } from "../../objects/parts.js";
import { claim, splitKey } from "../pods/owned-pods.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { deploymentStorage, setStorage } from "./deployment-facts.js";
import { deploymentKeysOf } from "./deployment-keys.js";
import { findNewReplicaSet } from "./new-replica-set.js";
import { pruneReplicaSets } from "./prune-replica-sets.js";
import { recreate } from "./recreate.js";
import { rollOut } from "./roll-out.js";
import { isRecreated, isScaled, reread, shareOut } from "./scale-replica-sets.js";
import { withPaused, writeCounts } from "./write-progress.js";

/** Rolls out Deployments: creates a ReplicaSet for each template, and moves replicas from the old ones to the newest. */
export function createDeploymentController(context: ControllerParts): Controller {
  return {
    name: "deployments",
    follows: [deploymentStorage, setStorage, "pods"],
    keysOf: (event, storage) => deploymentKeysOf(context, event, storage),
    reconcile: (key) => reconcile(context, key),
  };
}

function reconcile(context: ControllerParts, key: string): Reconciled {
  const deployment = context.writer.get(deploymentStorage, ...splitKey(key));
  if (deployment === undefined) {
    return undefined;
  }
  const sets = claim(context, deployment, setStorage);
  const newest = findNewReplicaSet(deployment, sets);
  const old = sets.filter((set) => set !== newest);
  if (isGoing(deployment)) {
    writeCounts(context, deployment, sets, newest);
    return undefined;
  }
  const current = withPaused(context, deployment);
  const isPaused = specOf(current)["paused"] === true;
  if (isPaused || isScaled(current, sets)) {
    shareOut(context, current, newest, old);
    if (isPaused) {
      pruneReplicaSets(context, current, sets);
    }
    writeCounts(context, current, reread(context, sets), newest && reread(context, [newest])[0]);
    return undefined;
  }
  return isRecreated(current)
    ? recreate(context, current, sets, old)
    : rollOut(context, current, sets, old);
}
