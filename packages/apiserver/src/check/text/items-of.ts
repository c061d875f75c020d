import { isJsonObject, type JsonObject } from "@typekube/core/internal";

/** An object in a document, and its path there. */
export interface DocumentItem {
  readonly value: unknown;
  /** Path of the object: empty, or `items[3]`. */
  readonly path: string;
}

/** Most nested lists of a document. */
const maxListDepth = 20;

/**
 * Returns the objects of a document: the items of a `List` or of a typed list such as `ConfigMapList`, whose items may
 * lack kind and apiVersion, each with its path; otherwise the value itself.
 */
export function itemsOf(value: unknown, path: string = "", depth: number = 0): DocumentItem[] {
  if (!isJsonObject(value) || depth > maxListDepth) {
    return [{ value, path }];
  }
  const { apiVersion, kind, metadata, items } = value;
  const isNamed = isJsonObject(metadata) && metadata["name"] !== undefined;
  const isList = typeof kind === "string" && kind.endsWith("List") && !isNamed;
  if (!isList || !(Array.isArray(items) || items === null)) {
    return [{ value, path }];
  }
  const itemKind = kind.slice(0, -"List".length);
  return (items ?? []).flatMap((item: unknown, index) => {
    const isBare =
      isJsonObject(item) && item["apiVersion"] === undefined && item["kind"] === undefined;
    const whole: unknown =
      isBare && itemKind !== "" ? ({ ...item, apiVersion, kind: itemKind } as JsonObject) : item;
    return itemsOf(whole, `${path === "" ? "" : `${path}.`}items[${index}]`, depth + 1);
  });
}
