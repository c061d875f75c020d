import type { ApiObject } from "../../objects/api-object.js";
import { isGoing, withoutFinalizer } from "../../objects/owner-references.js";
import { withFinalizer } from "../../objects/parts.js";
import type { StoreEvent } from "../../store/history.js";
import type { Store } from "../../store/store.js";
import { splitKey } from "../pods/owned-pods.js";
import type { Controller } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { claimStorage, claimsOf, classStorage, isUsed, volumeStorage } from "./is-used.js";

const finalizers: Readonly<Record<string, string>> = {
  [claimStorage]: "kubernetes.io/pvc-protection",
  [volumeStorage]: "kubernetes.io/pv-protection",
  [classStorage]: "kubernetes.io/vac-protection",
};

/**
 * Removes the protection finalizers of deleted claims, volumes and VolumeAttributesClasses once they are unused, and
 * adds missing ones.
 */
export function createStorageProtection(context: ControllerParts): Controller {
  return {
    name: "storage-protection",
    follows: [...Object.keys(finalizers), "pods"],
    keysOf: (event, storage) => keysOf(context.server.store, event, storage),
    reconcile(id) {
      const [storage = "", key = ""] = id.split(" ");
      const object = context.writer.get(storage, ...splitKey(key));
      if (object !== undefined) {
        protect(context, storage, object);
      }
      return undefined;
    },
  };
}

function* keysOf(store: Store, event: StoreEvent, storage: string): Iterable<string> {
  const { key, namespace, object, type } = event;
  const finalizer = finalizers[storage];
  if (finalizer !== undefined && type !== "DELETED") {
    if (isGoing(object) || !object.metadata.finalizers?.includes(finalizer)) {
      yield keyOf(storage, key);
    }
  }
  if (storage === "pods") {
    for (const name of type === "ADDED" ? [] : claimsOf(object)) {
      yield keyOf(claimStorage, `${namespace}/${name}`);
    }
  } else if (storage !== classStorage) {
    yield* type === "DELETED" && storage === claimStorage ? goingIn(store, volumeStorage) : [];
    yield* type === "ADDED" ? [] : goingIn(store, classStorage);
  }
}

/** Yields the keys of the objects that are being deleted. */
function* goingIn(store: Store, storage: string): Iterable<string> {
  for (const [key, object] of store.collection(storage).entries("")) {
    if (isGoing(object)) {
      yield keyOf(storage, key);
    }
  }
}

/** Adds the finalizer to an object that exists, and removes it from one that is being deleted and unused. */
function protect({ writer }: ControllerParts, storage: string, object: ApiObject): void {
  const finalizer = finalizers[storage] ?? "";
  const isProtected = object.metadata.finalizers?.includes(finalizer) === true;
  if (!isProtected && !isGoing(object)) {
    writer.update(storage, withFinalizer(object, finalizer));
  } else if (isProtected && isGoing(object) && !isUsed(writer, storage, object)) {
    writer.update(storage, withoutFinalizer(object, finalizer));
  }
}

function keyOf(storage: string, key: string): string {
  return `${storage} ${key}`;
}
