import type { ApiObject } from "../../objects/api-object.js";
import { getPath } from "../../objects/json-value.js";
import { controllerOf, isGoing, withoutFinalizer } from "../../objects/owner-references.js";
import { mapOf, objectsOf, specOf, withFinalizer } from "../../objects/parts.js";
import type { StoreEvent } from "../../store/history.js";
import { splitKey } from "../pods/owned-pods.js";
import type { Controller } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";

const claims = "persistentvolumeclaims";
const volumes = "persistentvolumes";
const classes = "volumeattributesclasses.storage.k8s.io";

const finalizers: Readonly<Record<string, string>> = {
  [claims]: "kubernetes.io/pvc-protection",
  [volumes]: "kubernetes.io/pv-protection",
  [classes]: "kubernetes.io/vac-protection",
};

/**
 * Removes the protection finalizers of deleted claims, volumes and VolumeAttributesClasses once they are unused, and
 * adds missing ones.
 */
export function createStorageProtection({ server, writer }: ControllerParts): Controller {
  const { store } = server;

  const isUsed = (storage: string, object: ApiObject): boolean => {
    switch (storage) {
      case claims:
        return writer
          .list("pods", object.metadata.namespace ?? "")
          .some((pod) => isOnNode(pod) && claimsOf(pod, object).includes(object.metadata.name));
      case volumes:
        return isBound(object);
      default:
        return [...writer.list(volumes, ""), ...writer.list(claims, "")].some((one) =>
          attributesClassesOf(one).includes(object.metadata.name),
        );
    }
  };

  /**
   * Returns whether a volume is bound. No volume controller sets the phase Released here, so the existence of the claim
   * decides.
   */
  const isBound = (volume: ApiObject): boolean => {
    const { namespace, name, uid } = mapOf(specOf(volume)["claimRef"]);
    const claim = writer.get(claims, String(namespace ?? ""), String(name ?? ""));
    return (
      getPath(volume, "status", "phase") === "Bound" &&
      claim !== undefined &&
      (uid === undefined || uid === claim.metadata.uid)
    );
  };

  function* goingIn(storage: string): Iterable<string> {
    for (const [key, object] of store.collection(storage).entries("")) {
      if (isGoing(object)) {
        yield keyOf(storage, key);
      }
    }
  }

  function* keysOf(event: StoreEvent, storage: string): Iterable<string> {
    const { key, namespace, object, type } = event;
    const finalizer = finalizers[storage];
    if (finalizer !== undefined && type !== "DELETED") {
      if (isGoing(object) || !object.metadata.finalizers?.includes(finalizer)) {
        yield keyOf(storage, key);
      }
    }
    if (storage === "pods") {
      for (const name of type === "ADDED" ? [] : claimsOf(object)) {
        yield keyOf(claims, `${namespace}/${name}`);
      }
    } else if (storage !== classes) {
      yield* type === "DELETED" && storage === claims ? goingIn(volumes) : [];
      yield* type === "ADDED" ? [] : goingIn(classes);
    }
  }

  return {
    name: "storage-protection",
    follows: [claims, volumes, classes, "pods"],
    keysOf,
    reconcile(id) {
      const [storage = "", key = ""] = id.split(" ");
      const finalizer = finalizers[storage] ?? "";
      const object = writer.get(storage, ...splitKey(key));
      const isProtected = object?.metadata.finalizers?.includes(finalizer) === true;
      if (object === undefined || isProtected !== isGoing(object)) {
        return undefined;
      }
      if (!isProtected) {
        writer.update(storage, withFinalizer(object, finalizer));
      } else if (!isUsed(storage, object)) {
        writer.update(storage, withoutFinalizer(object, finalizer));
      }
      return undefined;
    },
  };
}

/**
 * Returns the names of the claims that a pod uses.
 *
 * @param owned - the claim in question: the claim of an ephemeral volume counts only if it belongs to the pod, and the
 * pod is not being deleted with a grace period of 0.
 */
function claimsOf(pod: ApiObject, owned?: ApiObject): unknown[] {
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

function keyOf(storage: string, key: string): string {
  return `${storage} ${key}`;
}
