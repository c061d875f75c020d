import { isJsonObject } from "../../objects/json-value.js";
import { childNode } from "../../phases/managed-fields/typed-value.js";
import type { SchemaNode } from "../../schema/schema-node.js";

/**
 * Returns the paths of the atomic lists and objects that a configuration sets. A policy may not: it would replace what
 * others have set there. (apiserver `findAtomics`)
 */
export function atomicPlaces(value: unknown, node: SchemaNode, path = ""): readonly string[] {
  if (isJsonObject(value) && (node.form === "struct" || node.form === "map")) {
    return [
      ...(node.atomic ? [path] : []),
      ...Object.entries(value).flatMap(([key, part]) =>
        atomicPlaces(part, childNode(node, key), `${path}.${key}`),
      ),
    ];
  }
  if (Array.isArray(value) && node.form === "list") {
    return [
      ...(node.type === "atomic" ? [path] : []),
      ...value.flatMap((item, at) => atomicPlaces(item, node.items, `${path}[${at}]`)),
    ];
  }
  return [];
}
