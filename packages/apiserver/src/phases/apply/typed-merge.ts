import { isJsonObject, type JsonObject, setOwn } from "../../objects/json-value.js";
import type { ListNode, SchemaNode } from "../../schema/schema-node.js";
import { fieldsOf } from "../managed-fields/compare.js";
import {
  below,
  difference,
  emptyFieldSet,
  type FieldSet,
  FieldSetBuilder,
  intersection,
  isEmptyFieldSet,
  union,
} from "../managed-fields/field-set.js";
import {
  childNode,
  isNamedField,
  itemElement,
  keyedItems,
  shapeOf,
} from "../managed-fields/typed-value.js";

/** Merges an applied configuration into the live object: its values win, fields it omits are kept. */
export function mergeTyped(live: unknown, config: unknown, node: SchemaNode): unknown {
  if (live === undefined || live === null || config === undefined) {
    return config === undefined ? live : config;
  }
  const shape = shapeOf(node, live, config);
  if (shape.form === "keyed" && isJsonObject(live) && isJsonObject(config)) {
    const merged: JsonObject = {};
    for (const key of new Set([...Object.keys(live), ...Object.keys(config)])) {
      const old = Object.hasOwn(live, key) ? live[key] : undefined;
      const now = Object.hasOwn(config, key) ? config[key] : undefined;
      setOwn(merged, key, mergeTyped(old, now, childNode(node, key)));
    }
    return merged;
  }
  if (shape.form === "items" && Array.isArray(live) && Array.isArray(config)) {
    return mergeItems(live, config, shape.node);
  }
  return config;
}

/**
 * Removes fields that a configuration sets to null, if they are scalar or atomic. Null has no effect on a field with
 * fields or items of its own.
 */
export function withoutNulled(value: unknown, config: unknown, node: SchemaNode): unknown {
  const shape = shapeOf(node, value, config);
  if (shape.form === "keyed" && isJsonObject(value) && isJsonObject(config)) {
    const kept: JsonObject = {};
    for (const key of Object.keys(value)) {
      const child = childNode(node, key);
      const said = Object.hasOwn(config, key) ? config[key] : undefined;
      const isWhole = node.form === "struct" && shapeOf(child, value[key]).form === "whole";
      if (said !== null || !isWhole) {
        setOwn(kept, key, said ? withoutNulled(value[key], said, child) : value[key]);
      }
    }
    return kept;
  }
  if (shape.form === "items" && Array.isArray(value) && Array.isArray(config)) {
    const said = keyedItems(config, shape.node);
    return (value as unknown[]).map((item) =>
      withoutNulled(item, said.get(itemElement(item, shape.node)), shape.node.items),
    );
  }
  return value;
}

/** Merges lists: items of the configuration in its order, items only in the live list at their old positions. */
function mergeItems(
  live: readonly unknown[],
  config: readonly unknown[],
  node: ListNode,
): unknown[] {
  const old = keyedItems(live, node);
  const now = keyedItems(config, node);
  const oldKeys = [...old.keys()];
  const merged: unknown[] = [];
  const done = new Set<string>();
  let next = 0;
  const takeLiveOnly = () => {
    for (
      let key = oldKeys[next];
      key !== undefined && (!now.has(key) || done.has(key));
      key = oldKeys[++next]
    ) {
      if (!now.has(key)) {
        merged.push(old.get(key));
      }
    }
  };
  for (const [key, item] of now) {
    takeLiveOnly();
    merged.push(old.has(key) ? mergeTyped(old.get(key), item, node.items) : item);
    done.add(key);
  }
  takeLiveOnly();
  for (const key of oldKeys.slice(next)) {
    if (!now.has(key)) {
      merged.push(old.get(key));
    }
  }
  return merged;
}

/**
 * Removes fields from an object, and maps and lists that become empty.
 *
 * @param owned - maps in this set are kept even when empty.
 */
export function removeFields(
  value: unknown,
  set: FieldSet,
  node: SchemaNode,
  owned: FieldSet = emptyFieldSet,
): unknown {
  const shape = shapeOf(node, value);
  if (isEmptyFieldSet(set)) {
    return value;
  }
  if (shape.form === "keyed" && isJsonObject(value)) {
    const kept: JsonObject = {};
    for (const key of Object.keys(value)) {
      const element = `f:${key}`;
      if (set.members.has(element)) {
        continue;
      }
      const rest = below(owned, element);
      const inner = removeFields(value[key], below(set, element), childNode(node, key), rest);
      if (inner !== undefined) {
        setOwn(kept, key, inner);
      } else if (owned.members.has(element) && isJsonObject(value[key])) {
        setOwn(kept, key, {});
      }
    }
    return Object.keys(kept).length === 0 && Object.keys(value).length > 0 ? undefined : kept;
  }
  if (shape.form === "items" && Array.isArray(value)) {
    const kept = (value as unknown[]).flatMap((item) => {
      const element = itemElement(item, shape.node);
      return set.members.has(element)
        ? []
        : [removeFields(item, below(set, element), shape.node.items)];
    });
    return kept.length === 0 && value.length > 0 ? undefined : kept;
  }
  return value;
}

/** Adds the named fields above each field of the set: a struct counts as owned when a field in it is owned. */
export function withNamedFields(set: FieldSet, node: SchemaNode): FieldSet {
  const fields = new FieldSetBuilder();
  set.members.forEach((element) => {
    fields.add(element);
  });
  for (const [element, child] of set.children) {
    const key = element.slice(2);
    const isField = element.startsWith("f:");
    if (isField && isNamedField(node, key)) {
      fields.add(element);
    }
    const childAt = isField ? childNode(node, key) : node.form === "list" ? node.items : node;
    fields.addBelow(element, withNamedFields(child, childAt));
  }
  return fields.build();
}

/**
 * Removes fields that a manager applied before and no longer applies, unless another manager owns them.
 * (structured-merge-diff `merge.Updater.prune`)
 */
export function prune(
  merged: unknown,
  { last, owned, node }: { last: FieldSet; owned: FieldSet; node: SchemaNode },
): unknown {
  if (isEmptyFieldSet(last)) {
    return merged;
  }
  const named = (set: FieldSet) => withNamedFields(set, node);
  const all = named(fieldsOf(merged, node));
  const missing = (pruned: unknown) => difference(all, named(fieldsOf(pruned, node)));
  const pruned = removeFields(merged, named(last), node);
  const unowned = removeFields(merged, difference(missing(pruned), named(owned)), node, owned);
  return removeFields(merged, intersection(missing(unowned), named(last)), node, owned);
}

/** Returns the union of all sets. */
export function unionOf(sets: Iterable<FieldSet>): FieldSet {
  return [...sets].reduce(union, { members: new Set(), children: new Map() });
}
