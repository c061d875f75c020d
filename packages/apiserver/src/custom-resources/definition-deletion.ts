import type { ServedResource } from "../resources/served-resource.js";
import type { ServerContext } from "../server-context.js";
import type { ApiObject } from "../store/stored-object.js";
import { definitionStorage } from "./definition.js";
import { withCondition } from "./definition-status.js";

/** Keeps a definition until nothing is left of what it defines. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** A definition whose deletion begins: it stays until its objects are gone. Anything else is returned as it is. */
export function withCleanup(
  server: Pick<ServerContext, "clock">,
  { storage }: ServedResource,
  object: ApiObject,
): ApiObject {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (storage !== definitionStorage || deletionTimestamp !== undefined) {
    return object;
  }
  return {
    ...object,
    metadata: {
      ...object.metadata,
      finalizers: finalizers.includes(cleanupFinalizer)
        ? finalizers
        : [...finalizers, cleanupFinalizer],
    },
    status: withCondition(server, object, {
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionPending",
      message:
        "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    }),
  };
}
