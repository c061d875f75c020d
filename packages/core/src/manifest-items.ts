import type { KubeObject } from "./api-types.js";
import { isJsonObject } from "./patch/json-value.js";

/**
 * What stands in a manifest as one list: the items of a `kind: List`, as kubectl makes it, or of a list of one kind, as servers
 * answer it (`ConfigMapList`), whose items need not say their kind. Lists in lists count as their items, too. Anything else is
 * itself.
 */
export function manifestItems(object: KubeObject): readonly KubeObject[] {
  const { apiVersion, kind, metadata, items } = (object ?? {}) as Loose;
  // An object that has a name is no list, whatever its kind is called.
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
