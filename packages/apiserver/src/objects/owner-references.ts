import type { ApiObject } from "./api-object.js";
import { getPath, type JsonObject } from "./json-value.js";
import { objectsOf } from "./parts.js";

/** An owner reference with all fields filled in. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: boolean;
  readonly blockOwnerDeletion: boolean;
}

/** Returns the owner references of an object. */
export function ownersOf({ metadata }: ApiObject): OwnerReference[] {
  return metadata.ownerReferences === undefined
    ? []
    : objectsOf(metadata.ownerReferences).map((one) => ({
        apiVersion: String(one["apiVersion"] ?? ""),
        kind: String(one["kind"] ?? ""),
        name: String(one["name"] ?? ""),
        uid: String(one["uid"] ?? ""),
        controller: one["controller"] === true,
        blockOwnerDeletion: one["blockOwnerDeletion"] === true,
      }));
}

/** Returns the owner that is an object's controller. */
export function controllerOf(object: ApiObject): OwnerReference | undefined {
  return ownersOf(object).find(({ controller }) => controller);
}

/** Returns an owner reference that makes the object a controller. */
export function controllerReference({ apiVersion, kind, metadata }: ApiObject): JsonObject {
  const { name, uid } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Maps the owner references of an object; `undefined` removes a reference. */
export function withOwners(
  object: ApiObject,
  change: (reference: JsonObject) => JsonObject | undefined,
): ApiObject {
  const ownerReferences = objectsOf(object.metadata.ownerReferences)
    .map(change)
    .filter((one) => one !== undefined);
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

/** Removes one of an object's finalizers. */
export function withoutFinalizer(object: ApiObject, finalizer: string): ApiObject {
  const finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== finalizer);
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

/** Returns whether an object is being deleted. */
export function isGoing(object: ApiObject): boolean {
  return getPath(object.metadata, "deletionTimestamp") !== undefined;
}
