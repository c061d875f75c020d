import { KubeError } from "../errors/kube-error.js";
import type { KubeObject, ManagedFieldsEntry } from "../objects/api-types.js";

/**
 * Returns the managedFields of an object.
 *
 * @throws {KubeError} `InvalidArgument` for an object without them. Informers drop them, and with them the ownership of
 * all fields.
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

/** Finds the entry of what a manager applied, through one subresource or without one. */
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
