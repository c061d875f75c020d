import { getOwn, isJsonObject, type JsonObject, jsonEqual } from "../../objects/json-value.js";
import type { SchemaNode } from "../../schema/schema-node.js";
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
      const [earlier, later] = [getOwn(old, key), getOwn(now, key)];
      const child = childNode(node, key);
      const place = placeOf(earlier, later, child);
      found.add(`f:${key}`, place.change);
      if (place.hasInside) {
        found.addBelow(`f:${key}`, compare(inside(earlier, place), inside(later, place), child));
      }
    }
  } else {
    const { items } = shape.node;
    const old = keyedItems(before, shape.node);
    const now = keyedItems(after, shape.node);
    for (const element of new Set([...old.keys(), ...now.keys()])) {
      const [earlier, later] = [old.get(element), now.get(element)];
      const place = placeOf(earlier, later, items);
      found.add(element, place.change);
      if (place.hasInside) {
        found.addBelow(element, compare(inside(earlier, place), inside(later, place), items));
      }
    }
  }
  return found.build();
}

/** The difference at one place, without what is below it. */
interface Place {
  readonly change: "added" | "modified" | "removed" | undefined;
  /** `true` when there may be differences below. */
  readonly hasInside: boolean;
  /** `true` when the value has another type now: only the fields of an object are compared, with nothing. */
  readonly isOtherType: boolean;
}

function place(change: Place["change"], hasInside: boolean, isOtherType = false): Place {
  return { change, hasInside, isOtherType };
}

// Places are many; each kind of them is one object.
const same = place(undefined, false);
const keyedSame = place(undefined, true);
const keyedModified = place("modified", true);
const modified = place("modified", false);
const replaced = place("modified", true, true);
const added = place("added", false);
const keyedAdded = place("added", true);
const removed = place("removed", false);
const keyedRemoved = place("removed", true);

function placeOf(old: unknown, now: unknown, node: SchemaNode): Place {
  const isWhole = shapeOf(node, old, now).form === "whole";
  if (old === undefined) {
    return now === undefined ? same : isWhole ? added : keyedAdded;
  }
  if (now === undefined) {
    return isWhole ? removed : keyedRemoved;
  }
  if (!isWhole) {
    const isEmptied = (old === null && isEmpty(now)) || (now === null && isEmpty(old));
    return isEmptied ? keyedModified : keyedSame;
  }
  if (jsonEqual(old, now)) {
    return same;
  }
  // Without a schema an object can become a value of another type: all its fields come or go.
  return node.form === "untyped" && isJsonObject(old) !== isJsonObject(now) ? replaced : modified;
}

/** Returns the value whose fields are compared at a place. */
function inside(value: unknown, { isOtherType }: Place): unknown {
  return isOtherType && !isJsonObject(value) ? undefined : value;
}

function isEmpty(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
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

  add(element: string, change: Place["change"]): void {
    switch (change) {
      case undefined:
        break;
      case "added":
        this.#added ??= new FieldSetBuilder();
        this.#added.add(element);
        break;
      case "modified":
        this.#modified ??= new FieldSetBuilder();
        this.#modified.add(element);
        break;
      case "removed":
        this.#removed ??= new FieldSetBuilder();
        this.#removed.add(element);
        break;
      default:
        change satisfies never;
    }
  }

  addBelow(element: string, { added, modified, removed }: Comparison): void {
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
