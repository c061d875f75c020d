import type { SchemaNode } from "../schema/schema-node.js";
import { type FieldSet, FieldSetBuilder } from "./field-set.js";
import type { Managers } from "./managers.js";

/**
 * Puts owned fields into the terms of a schema that has changed since they were written: who owned something in a value that is
 * one whole now owns all of it. What ceased to be one whole keeps its owner, and what is in it has none. (structured-merge-diff
 * `ReconcileFieldSetWithSchema`)
 *
 * @returns the set itself where nothing has changed.
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

/** {@link fieldsBySchema} for each manager. */
export function settleBySchema(managers: Managers, node: SchemaNode): void {
  for (const [key, manager] of managers) {
    managers.set(key, { ...manager, fields: fieldsBySchema(manager.fields, node) });
  }
}

/** What a schema says of an element of a set; `undefined` where it says nothing. */
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
