import { objectsOf } from "../kinds/parts.js";
import { getPath, type JsonObject } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";

/** An owner as an object names it. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: boolean;
  readonly blockOwnerDeletion: boolean;
}

/** The owners that an object names. */
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

/** The owner that manages an object. */
export function controllerOf(object: ApiObject): OwnerReference | undefined {
  return ownersOf(object).find(({ controller }) => controller);
}

/** The reference by which an object belongs to its controller. */
export function controllerReference({ apiVersion, kind, metadata }: ApiObject): JsonObject {
  const { name, uid } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Changes the references of an object: each is kept, replaced, or dropped for `undefined`. */
export function withOwners(
  object: ApiObject,
  change: (reference: JsonObject) => JsonObject | undefined,
): ApiObject {
  const ownerReferences = objectsOf(object.metadata.ownerReferences)
    .map(change)
    .filter((one) => one !== undefined);
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

/** The object without one of its finalizers. */
export function withoutFinalizer(object: ApiObject, finalizer: string): ApiObject {
  const finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== finalizer);
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

/** Whether an object is being deleted. */
export function isGoing(object: ApiObject): boolean {
  return getPath(object.metadata, "deletionTimestamp") !== undefined;
}
