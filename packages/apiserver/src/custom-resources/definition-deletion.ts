import type { Clock } from "@typekube/core/internal";
import type { ApiObject } from "../objects/api-object.js";
import { withCondition } from "./definition-status.js";

/** Finalizer that keeps a definition until all its custom resources are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** Starts the deletion of a definition: it remains until its custom resources are gone. */
export function withCleanup(object: ApiObject, clock: Clock): ApiObject {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp !== undefined) {
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
    status: withCondition({ clock }, object, {
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionPending",
      message:
        "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    }),
  };
}
