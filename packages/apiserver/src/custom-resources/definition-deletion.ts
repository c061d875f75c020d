import type { ServerContext } from "../context/server-context.js";
import type { ApiObject } from "../objects/api-object.js";
import { definitionStorage } from "../resources/definition.js";
import type { ServedResource } from "../resources/served-resource.js";
import { withCondition } from "./definition-status.js";

/** Finalizer that keeps a definition until all its custom resources are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/**
 * Starts the deletion of a definition: it remains until its custom resources are gone. Other objects are returned
 * unchanged.
 */
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
