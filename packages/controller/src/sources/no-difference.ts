import type { KubeObject, Live } from "@typekube/api";
import { isSameKept, jsonEqual, projectionOf } from "@typekube/core/internal";
import type { DeclaredKind } from "../definition/kind-choice.js";
import { allFields } from "./kept-fields.js";

/** Tells whether an update made no difference to what a controller sees of an object. */
export type NoDifference = (object: Live<KubeObject>, previous: Live<KubeObject>) => boolean;

/**
 * Returns what tells an update without a difference. Of a kind with some fields only these count, also when the cache has
 * more because of another declaration; with `unchanged: "deliver"` every update makes a difference.
 */
export function noDifference(declared: DeclaredKind): NoDifference {
  if (declared.fields === undefined) {
    return isNoopUpdate;
  }
  if (declared.unchanged === "deliver") {
    return () => false;
  }
  const projection = projectionOf(allFields(declared));
  return (object, previous) =>
    object.metadata.uid === previous.metadata.uid && isSameKept(previous, object, projection);
}

/** Returns true when nothing but the version differs: somebody's managedFields, which caches don't have. */
function isNoopUpdate(object: Live<KubeObject>, previous: Live<KubeObject>): boolean {
  const { metadata, ...rest } = object;
  const { metadata: old, ...oldRest } = previous;
  return (
    metadata.uid === old.uid &&
    jsonEqual(
      { ...metadata, resourceVersion: "", managedFields: 0 },
      { ...old, resourceVersion: "", managedFields: 0 },
    ) &&
    jsonEqual(rest, oldRest)
  );
}
