import type { KubeObject } from "../objects/api-types.js";
import { isJsonObject } from "../objects/json-value.js";

/**
 * Returns the objects of a document in a manifest: the items of a `kind: List`, as kubectl writes it, or of a typed
 * list, as servers return it (`ConfigMapList`), whose items may lack kind and apiVersion. Lists in lists are flattened.
 * Any other object is returned alone.
 */
export function manifestItems(object: KubeObject): readonly KubeObject[] {
  const { apiVersion, kind, metadata, items } = (object ?? {}) as Loose;
  // An object with a name is not a list, whatever its kind.
  const isList = typeof kind === "string" && kind.endsWith("List") && metadata?.name === undefined;
  if (!isList || !(Array.isArray(items) || items === null)) {
    return [object];
  }
  const itemKind = kind.slice(0, -"List".length);
  return (items ?? []).flatMap((item) => {
    const isBare =
      isJsonObject(item) && item["apiVersion"] === undefined && item["kind"] === undefined;
    return manifestItems(
      isBare && itemKind !== "" ? { ...item, apiVersion, kind: itemKind } : item,
    );
  });
}

interface Loose extends KubeObject {
  readonly items?: readonly KubeObject[] | null;
}
