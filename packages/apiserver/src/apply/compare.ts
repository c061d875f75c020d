import type { SchemaNode } from "../schema/schema-node.js";
import { getOwn, isJsonObject, type JsonObject, jsonEqual } from "../store/json-value.js";
import { emptyFieldSet, type FieldSet, FieldSetBuilder, isEmptyFieldSet } from "./field-set.js";
import { childNode, isNamedField, keyedItems, shapeOf } from "./typed-value.js";

/** Field sets that differ between two states of an object. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Returns every field that has a value in an object: the fields that an applier of it owns. */
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
 * Compares two states field by field. `undefined` is absent; `null` is present without a value, like the empty lists of
 * typed objects.
 */
export function compare(before: unknown, after: unknown, node: SchemaNode): Comparison {
  const shape = shapeOf(node, before, after);
  if (shape.form === "whole") {
    return nothing;
  }
  const found = new ComparisonBuilder();
  if (shape.form === "keyed") {
    const old = isJsonObject(before) ? before : none;
    const now = isJsonObject(after) ? after : none;
    for (const key of keysOfBoth(old, now)) {
      found.addPlace(`f:${key}`, getOwn(old, key), getOwn(now, key), childNode(node, key));
    }
  } else {
    const old = keyedItems(before, shape.node);
    const now = keyedItems(after, shape.node);
    for (const element of new Set([...old.keys(), ...now.keys()])) {
      found.addPlace(element, old.get(element), now.get(element), shape.node.items);
    }
  }
  return found.build();
}

const none: JsonObject = {};

function keysOfBoth(old: JsonObject, now: JsonObject): readonly string[] {
  const keys = Object.keys(old);
  if (keys.length === 0) {
    return Object.keys(now);
  }
  for (const key of Object.keys(now)) {
    if (!Object.hasOwn(old, key)) {
      keys.push(key);
    }
  }
  return keys;
}

/** Collects differences. Most comparisons yield at most one kind, so each set is created on first use. */
class ComparisonBuilder {
  #added: FieldSetBuilder | undefined;
  #modified: FieldSetBuilder | undefined;
  #removed: FieldSetBuilder | undefined;

  addPlace(element: string, old: unknown, now: unknown, node: SchemaNode): void {
    const isWhole = shapeOf(node, old, now).form === "whole";
    if (old === undefined) {
      if (now !== undefined) {
        this.#added ??= new FieldSetBuilder();
        this.#added.add(element);
      }
    } else if (now === undefined) {
      this.#removed ??= new FieldSetBuilder();
      this.#removed.add(element);
    } else if (isWhole && !jsonEqual(old, now)) {
      this.#modified ??= new FieldSetBuilder();
      this.#modified.add(element);
    }
    if (!isWhole) {
      this.#addBelow(element, compare(old, now, node));
    }
  }

  #addBelow(element: string, { added, modified, removed }: Comparison): void {
    if (!isEmptyFieldSet(added)) {
      this.#added ??= new FieldSetBuilder();
      this.#added.addBelow(element, added);
    }
    if (!isEmptyFieldSet(modified)) {
      this.#modified ??= new FieldSetBuilder();
      this.#modified.addBelow(element, modified);
    }
    if (!isEmptyFieldSet(removed)) {
      this.#removed ??= new FieldSetBuilder();
      this.#removed.addBelow(element, removed);
    }
  }

  build(): Comparison {
    return {
      added: this.#added?.build() ?? emptyFieldSet,
      modified: this.#modified?.build() ?? emptyFieldSet,
      removed: this.#removed?.build() ?? emptyFieldSet,
    };
  }
}
