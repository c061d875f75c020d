import type { SchemaNode } from "../schema/schema-node.js";
import { getOwn, isJsonObject, jsonEqual } from "../store/json-value.js";
import { emptyFieldSet, type FieldSet, FieldSetBuilder } from "./field-set.js";
import { childNode, isNamedField, keyedItems, shapeOf } from "./typed-value.js";

/** What differs between two states of an object. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Every place that has a value in an object: what an applier of it owns. */
export function fieldsOf(value: unknown, node: SchemaNode): FieldSet {
  const fields = new FieldSetBuilder();
  const shape = shapeOf(node, value);
  if (shape.form === "keyed" && isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      const child = childNode(node, key);
      const inner = value[key];
      const element = `f:${key}`;
      const empty = inner === null || (isJsonObject(inner) && Object.keys(inner).length === 0);
      if (empty || !isNamedField(node, key) || shapeOf(child, inner).form === "whole") {
        fields.add(element);
      }
      fields.addBelow(element, fieldsOf(inner, child));
    }
  }
  if (shape.form === "items") {
    for (const [element, item] of keyedItems(value, shape.node)) {
      fields.add(element);
      fields.addBelow(element, fieldsOf(item, shape.node.items));
    }
  }
  return fields.build();
}

const nothing: Comparison = {
  added: emptyFieldSet,
  modified: emptyFieldSet,
  removed: emptyFieldSet,
};

/**
 * Compares two states place by place. `undefined` is absent; `null` is there without a value, as the empty lists of
 * typed objects are.
 */
export function compare(before: unknown, after: unknown, node: SchemaNode): Comparison {
  const shape = shapeOf(node, before, after);
  if (shape.form === "whole") {
    return nothing;
  }
  const added = new FieldSetBuilder();
  const modified = new FieldSetBuilder();
  const removed = new FieldSetBuilder();
  const pairs =
    shape.form === "keyed" ? keyedPairs(before, after, node) : itemPairs(before, after, shape.node);
  for (const [element, old, now, child] of pairs) {
    const isWhole = shapeOf(child, old, now).form === "whole";
    if (old === undefined) {
      if (now !== undefined) {
        added.add(element);
      }
    } else if (now === undefined) {
      removed.add(element);
    } else if (isWhole && !jsonEqual(old, now)) {
      modified.add(element);
    }
    if (!isWhole) {
      const inner = compare(old, now, child);
      added.addBelow(element, inner.added);
      modified.addBelow(element, inner.modified);
      removed.addBelow(element, inner.removed);
    }
  }
  return { added: added.build(), modified: modified.build(), removed: removed.build() };
}

type Pair = readonly [element: string, before: unknown, after: unknown, node: SchemaNode];

function keyedPairs(before: unknown, after: unknown, node: SchemaNode): Pair[] {
  const old = isJsonObject(before) ? before : {};
  const now = isJsonObject(after) ? after : {};
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys].map((key) => [
    `f:${key}`,
    getOwn(old, key),
    getOwn(now, key),
    childNode(node, key),
  ]);
}

function itemPairs(before: unknown, after: unknown, node: SchemaNode & { form: "list" }): Pair[] {
  const old = keyedItems(before, node);
  const now = keyedItems(after, node);
  const elements = new Set([...old.keys(), ...now.keys()]);
  return [...elements].map((element) => [element, old.get(element), now.get(element), node.items]);
}
