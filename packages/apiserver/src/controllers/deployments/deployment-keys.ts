import { controllerOf } from "../../objects/owner-references.js";
import type { StoreEvent } from "../../store/history.js";
import { keysOfOwner } from "../pods/owned-pods.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { deploymentStorage, setStorage } from "./deployment-facts.js";

/** Returns the keys of the Deployments that an event concerns. */
export function deploymentKeysOf(
  context: ControllerParts,
  event: StoreEvent,
  storage: string,
): Iterable<string> {
  switch (storage) {
    case deploymentStorage:
      return [event.key];
    case setStorage:
      return keysOfOwner(context, event, { storage: deploymentStorage, kind: "Deployment" });
    default:
      return event.type === "DELETED" ? keysOfLostPod(context, event) : [];
  }
}

/** Returns the Deployment of a deleted pod: strategy Recreate may wait for the last old pod. */
function keysOfLostPod(
  { writer }: ControllerParts,
  { object, namespace }: StoreEvent,
): Iterable<string> {
  const owner = controllerOf(object);
  const set =
    owner?.kind === "ReplicaSet" ? writer.get(setStorage, namespace, owner.name) : undefined;
  const above = set && controllerOf(set);
  return above?.kind === "Deployment" ? [`${namespace}/${above.name}`] : [];
}
