import type { KubeObject } from "@typekube/api";
import {
  type CsaUpgradeOptions,
  csaUpgradeOperations,
  type ExtractOptions,
  extractApplied,
} from "@typekube/core/internal";
import type { DeepPartial } from "./deep-partial.js";
import { jsonPatch, mergePatch, type Patch } from "./patch.js";
import { builtInSchema } from "./strategic-kinds.js";

/**
 * What a field manager applied to an object, as it would apply it again: identity, and the fields that it owns with the values
 * that they have now. Change it and apply it as the same manager; what is taken out of it is given up.
 *
 * Built-in kinds are read by their schema, which is loaded with the first one; of custom resources the field sets tell the
 * structure. Of a manager that owns nothing the identity is left. After a `scale` was applied, `subresource: "scale"` gives the
 * part of the object itself, not a Scale.
 *
 * @param object - as a read gives it, with managedFields.
 * @throws {KubeError} `InvalidArgument` for an object without managedFields, as informers hold them, and for one in another
 * version than that in which the manager applied.
 */
export async function extract<T extends KubeObject>(
  object: T,
  fieldManager: string,
  options: ExtractOptions = {},
): Promise<DeepPartial<T>> {
  const table = await builtInSchema(object.apiVersion ?? "");
  return extractApplied(object, fieldManager, table, options) as DeepPartial<T>;
}

/**
 * The patch that gives what was applied on the client's side (`kubectl apply` without `--server-side`) to a manager that applies
 * on the server. Send it before the first apply: what the manager leaves out then goes, and nothing conflicts. There is no way
 * back. The patch holds only for the version of the object that was read; after a `Conflict` read again.
 *
 * @returns `undefined` where there is nothing to do.
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
 * The patch that makes an object forget who owns its fields. It changes nothing else, and nothing else should go with it: what
 * is written along belongs to nobody. The next apply meets the owner `before-first-apply` and needs `force` for what differs.
 *
 * @param object - hold for this version of the object only: a change meanwhile is a `Conflict`.
 */
export function resetManagedFields(object?: KubeObject): Patch<"merge"> {
  const resourceVersion = object?.metadata?.resourceVersion;
  // An empty list would do as well on servers of today, against what is documented; one empty entry always does.
  return mergePatch({ metadata: { managedFields: [{}], resourceVersion } });
}
