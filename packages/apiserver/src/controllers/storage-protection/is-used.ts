import type { ApiObject } from "../../objects/api-object.js";
import { getPath } from "../../objects/json-value.js";
import { controllerOf, isGoing } from "../../objects/owner-references.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { ObjectWriter } from "../runtime/object-writer.js";

export const claimStorage = "persistentvolumeclaims";
export const volumeStorage = "persistentvolumes";
export const classStorage = "volumeattributesclasses.storage.k8s.io";

type Reader = Pick<ObjectWriter, "get" | "list">;

/** Returns whether a claim, volume or VolumeAttributesClass is used by pods, claims or volumes. */
export function isUsed(reader: Reader, storage: string, object: ApiObject): boolean {
  switch (storage) {
    case claimStorage:
      return reader
        .list("pods", object.metadata.namespace ?? "")
        .some((pod) => isOnNode(pod) && claimsOf(pod, object).includes(object.metadata.name));
    case volumeStorage:
      return isBound(reader, object);
    default:
      return [...reader.list(volumeStorage, ""), ...reader.list(claimStorage, "")].some((one) =>
        attributesClassesOf(one).includes(object.metadata.name),
      );
  }
}

/**
 * Returns whether a volume is bound. No volume controller sets the phase Released here, so the existence of the claim
 * decides.
 */
function isBound(reader: Reader, volume: ApiObject): boolean {
  const { namespace, name, uid } = mapOf(specOf(volume)["claimRef"]);
  const claim = reader.get(claimStorage, String(namespace ?? ""), String(name ?? ""));
  return (
    getPath(volume, "status", "phase") === "Bound" &&
    claim !== undefined &&
    (uid === undefined || uid === claim.metadata.uid)
  );
}

/**
 * Returns the names of the claims that a pod uses.
 *
 * @param owned - the claim in question: the claim of an ephemeral volume counts only if it belongs to the pod, and the
 * pod is not being deleted with a grace period of 0.
 */
export function claimsOf(pod: ApiObject, owned?: ApiObject): unknown[] {
  const isPodsOwn =
    owned === undefined ||
    (controllerOf(owned)?.uid === pod.metadata.uid &&
      !(isGoing(pod) && pod.metadata.deletionGracePeriodSeconds === 0));
  return objectsOf(specOf(pod)["volumes"]).map(({ name, persistentVolumeClaim, ephemeral }) =>
    ephemeral === undefined
      ? mapOf(persistentVolumeClaim)["claimName"]
      : isPodsOwn && `${pod.metadata.name}-${name}`,
  );
}

/** Returns the VolumeAttributesClasses that a volume or claim requests, has, or is changing to. */
function attributesClassesOf(one: ApiObject): unknown[] {
  return [
    specOf(one)["volumeAttributesClassName"],
    getPath(one, "status", "currentVolumeAttributesClassName"),
    getPath(one, "status", "modifyVolumeStatus", "targetVolumeAttributesClassName"),
  ];
}

function isOnNode(pod: ApiObject): boolean {
  return (getPath(pod, "spec", "nodeName") ?? "") !== "";
}
