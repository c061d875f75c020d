import type { SchemaNode } from "../schema/schema-node.js";
import { getOwn, isJsonObject, jsonEqual } from "../store/json-value.js";
import { emptyFieldSet, type FieldSet, fieldSet } from "./field-set.js";
import { childNode, isNamedField, keyedItems, shapeOf } from "./typed-value.js";

/** What differs between two states of an object. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Every place that has a value in an object: what an applier of it owns. */
export function fieldsOf(value: unknown, node: SchemaNode): FieldSet {
  const members: string[] = [];
  const children: [string, FieldSet][] = [];
  const shape = shapeOf(node, value);
  if (shape.form === "keyed" && isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      const child = childNode(node, key);
      const inner = value[key];
      const element = `f:${key}`;
      const empty = inner === null || (isJsonObject(inner) && Object.keys(inner).length === 0);
      if (empty || !isNamedField(node, key) || shapeOf(child, inner).form === "whole") {
        members.push(element);
      }
      children.push([element, fieldsOf(inner, child)]);
    }
  }
  if (shape.form === "items") {
    for (const [element, item] of keyedItems(value, shape.node)) {
      members.push(element);
      children.push([element, fieldsOf(item, shape.node.items)]);
    }
  }
  return fieldSet(members, children);
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
  const pairs =
    shape.form === "keyed" ? keyedPairs(before, after, node) : itemPairs(before, after, shape.node);
  const parts = pairs.map(([element, old, now, child]) => ({
    element,
    old,
    now,
    whole: shapeOf(child, old, now).form === "whole",
    inner: compare(old, now, child),
  }));
  const pick = (name: keyof Comparison, self: (part: (typeof parts)[number]) => boolean) =>
    fieldSet(
      parts.filter(self).map(({ element }) => element),
      parts.map(({ element, inner }) => [element, inner[name]] as const),
    );
  return {
    added: pick("added", ({ old, now }) => old === undefined && now !== undefined),
    removed: pick("removed", ({ old, now }) => old !== undefined && now === undefined),
    modified: pick(
      "modified",
      ({ old, now, whole }) =>
        whole && old !== undefined && now !== undefined && !jsonEqual(old, now),
    ),
  };
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
