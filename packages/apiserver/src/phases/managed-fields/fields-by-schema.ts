import type { SchemaNode } from "../../schema/schema-node.js";
import { type FieldSet, FieldSetBuilder } from "./field-set.js";
import type { Managers } from "./managers.js";

/**
 * Converts owned fields to a schema that has changed since they were recorded. An owner of a field inside a value that
 * is now atomic owns all of that value. A value that is no longer atomic keeps its owner; the fields in it have none.
 * (structured-merge-diff `ReconcileFieldSetWithSchema`)
 *
 * @returns the same set if nothing changed.
 */
export function fieldsBySchema(fields: FieldSet, node: SchemaNode): FieldSet {
  const set = new FieldSetBuilder();
  for (const member of fields.members) {
    set.add(member);
  }
  let isSame = true;
  for (const [element, inner] of fields.children) {
    const place = nodeAt(node, element);
    if (place !== undefined && isWhole(place)) {
      set.add(element);
      isSame = false;
      continue;
    }
    const fitting = place === undefined ? inner : fieldsBySchema(inner, place);
    isSame &&= fitting === inner;
    set.addBelow(element, fitting);
  }
  return isSame ? fields : set.build();
}

/** Applies {@link fieldsBySchema} to each manager. */
export function settleBySchema(managers: Managers, node: SchemaNode): void {
  for (const [key, manager] of managers) {
    managers.set(key, { ...manager, fields: fieldsBySchema(manager.fields, node) });
  }
}

/** Returns the schema node of a set element; `undefined` where the schema has none. */
function nodeAt(node: SchemaNode, element: string): SchemaNode | undefined {
  const isField = element.startsWith("f:");
  switch (node.form) {
    case "struct":
      return isField ? node.field(element.slice(2))?.node : undefined;
    case "map":
      return isField ? node.values : undefined;
    case "list":
      return isField ? undefined : node.items;
    default:
      return undefined;
  }
}

function isWhole(node: SchemaNode): boolean {
  return node.form === "list"
    ? node.type === "atomic"
    : (node.form === "map" || node.form === "struct") && node.atomic;
}
