import type { KubeObject } from "@typekube/api";
import {
  type CsaUpgradeOptions,
  csaUpgradeOperations,
  type ExtractOptions,
  extractApplied,
} from "@typekube/core/internal";
import type { Applied } from "../types/applied.js";
import { jsonPatch, mergePatch, type Patch } from "./patch.js";
import { builtInSchema } from "./strategic-kinds.js";

/**
 * Extracts what a field manager applied to an object, as input for its next apply: the object's identity, and the
 * fields that the manager owns with their current values. Change the result and apply it as the same manager; the
 * manager releases every field that you remove.
 *
 * Built-in kinds are read by their schema, which is loaded on first use; for custom resources the field sets describe
 * the structure. For a manager that owns nothing, the result is the identity alone. After an apply of `scale`,
 * `subresource: "scale"` returns that part of the object itself, not a Scale.
 *
 * @param object - as returned by a read, with managedFields.
 * @throws {KubeError} `InvalidArgument` for an object without managedFields, as informers hold it, and for an object in
 * another apiVersion than the one that the manager applied.
 */
export async function extract<T extends KubeObject>(
  object: T,
  fieldManager: string,
  options: ExtractOptions = {},
): Promise<Applied<T>> {
  const table = await builtInSchema(object.apiVersion ?? "");
  return extractApplied(object, fieldManager, table, options) as Applied<T>;
}

/**
 * Builds the patch that transfers fields from client-side apply (`kubectl apply` without `--server-side`) to a manager
 * that uses server-side apply. Send it before the first apply: that apply then removes the fields that the manager
 * leaves out, and nothing conflicts. The transfer cannot be undone. The patch is valid only for the resourceVersion
 * that was read; after a `Conflict`, read the object again.
 *
 * @returns `undefined` when there is nothing to transfer.
 * @throws {KubeError} `InvalidArgument` for an object without managedFields.
 */
export function csaUpgrade(
  object: KubeObject,
  options: CsaUpgradeOptions,
): Patch<"json"> | undefined {
  const operations = csaUpgradeOperations(object, options);
  return operations && jsonPatch(operations);
}

/**
 * Builds the patch that clears the field ownership of an object. It changes nothing else, and should be sent alone:
 * fields written by the same patch have no owner. The next apply finds the owner `before-first-apply` and needs `force`
 * for fields that differ.
 *
 * @param object - limits the patch to this object's resourceVersion: a change in between is a `Conflict`.
 */
export function resetManagedFields(object?: KubeObject): Patch<"merge"> {
  const resourceVersion = object?.metadata?.resourceVersion;
  // Current servers also accept an empty list, contrary to their documentation; one empty entry always works.
  return mergePatch({ metadata: { managedFields: [{}], resourceVersion } });
}
