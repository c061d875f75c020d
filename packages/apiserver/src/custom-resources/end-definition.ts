import type { ApiObject } from "../objects/api-object.js";
import { isFinished } from "../phases/write/store-object.js";
import { definitionStorage } from "../resources/definition.js";
import { cleanupFinalizer } from "./definition-deletion.js";
import { conditionOf, withCondition, writeStatus } from "./definition-status.js";
import { deleteInstances } from "./delete-instances.js";
import type { FollowedDefinitions } from "./followed-definitions.js";

/** Deletes the objects of a definition that is being deleted, and releases the definition once they are gone. */
export function endDefinition(
  definitions: FollowedDefinitions,
  name: string,
  object: ApiObject,
): void {
  const { server, emptying } = definitions;
  if (!(object.metadata.finalizers ?? []).includes(cleanupFinalizer)) {
    return;
  }
  if (!emptying.has(name)) {
    emptying.add(name);
    deleteInstances(server, name);
  }
  if (server.store.collection(name).size > 0) {
    const status = withCondition(server, object, {
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionInProgress",
      message: "CustomResource deletion is in progress",
    });
    writeStatus(server, object, status);
    return;
  }
  finish(definitions, name, object);
}

/** Removes the cleanup finalizer, and the definition unless it has other finalizers. */
function finish({ server, emptying }: FollowedDefinitions, name: string, object: ApiObject): void {
  emptying.delete(name);
  const finalizers = object.metadata.finalizers?.filter((one) => one !== cleanupFinalizer);
  const wasServed = conditionOf(object, "Established")?.["status"] === "True";
  const status = withCondition(server, object, {
    type: "Terminating",
    status: "False",
    reason: wasServed ? "InstanceDeletionCompleted" : "NeverEstablished",
    message: wasServed ? "removed all instances" : "resource was never established",
  });
  const emptied = { ...object, metadata: { ...object.metadata, finalizers }, status } as ApiObject;
  if (isFinished(emptied)) {
    server.store.remove(definitionStorage, name);
  } else {
    server.store.put(definitionStorage, name, emptied);
  }
}
