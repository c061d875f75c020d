import type { KubeObject, ManagedFieldsEntry } from "../api-types.js";
import { KubeError } from "../kube-error.js";

/**
 * The owners of an object's fields.
 *
 * @throws {KubeError} `InvalidArgument` where the object does not say: what informers hold has lost them, and with them what
 * anybody owns.
 */
export function managedFieldsOf(object: KubeObject): readonly ManagedFieldsEntry[] {
  const entries = object.metadata?.managedFields;
  if (entries === undefined) {
    throw new KubeError("InvalidArgument", "the object has no metadata.managedFields", {
      hint: "read it with get: informers and reads with managedFields: false drop them",
    });
  }
  return entries;
}

/** Finds what a manager applied, through one subresource or through none. */
export function appliedBy(
  entries: readonly ManagedFieldsEntry[],
  manager: string,
  subresource = "",
): ManagedFieldsEntry | undefined {
  return entries.find(
    (entry) =>
      entry.manager === manager &&
      entry.operation === "Apply" &&
      (entry.subresource ?? "") === subresource,
  );
}
