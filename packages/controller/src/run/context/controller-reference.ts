import type { KubeObject, Live } from "@typekube/api";
import type { OwnerReference } from "@typekube/api/meta/v1";

/**
 * Returns the owner reference that makes an object the controller of another one, for objects that `run.create` creates.
 * (controller-runtime's SetControllerReference)
 */
export function controllerReference({
  apiVersion,
  kind,
  metadata,
}: Live<KubeObject>): OwnerReference {
  return {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}
