import type { FieldSchema } from "@typekube/api/schema";
import { stringifyJson } from "@typekube/core/internal";
import { goText } from "../../errors/go-value.js";
import { failure } from "../../errors/status-errors.js";
import { getOwn, isJsonObject, type JsonObject, setOwn } from "../../objects/json-value.js";
import { type SchemaNode, untyped } from "../../schema/schema-node.js";

const directive = "$patch";
const retainKeys = "$retainKeys";
const deletePrefix = "$deleteFromPrimitiveList/";
const orderPrefix = "$setElementOrder/";

/**
 * Applies a strategic merge patch: a merge patch that merges lists by key according to the schema, and supports
 * directives to delete, replace, keep and order values. (apimachinery `strategicpatch`)
 */
export function applyStrategicMergePatch(
  target: unknown,
  patch: unknown,
  node: SchemaNode,
): unknown {
  return isJsonObject(patch) ? mergeObject(isJsonObject(target) ? target : {}, patch, node) : patch;
}

function mergeObject(target: JsonObject, patch: JsonObject, node: SchemaNode): JsonObject {
  const order = getOwn(patch, directive);
  if (order === "replace") {
    return cleaned(patch);
  }
  if (order === "delete") {
    return {};
  }
  if (order !== undefined && order !== "merge") {
    const why = `unknown patch type: ${String(order)} in map: ${goText(patch)}`;
    throw failure(500, undefined, why);
  }
  const merged = retained(target, getOwn(patch, retainKeys));
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (key === directive || key === retainKeys || key.startsWith(orderPrefix)) {
      continue;
    }
    if (key.startsWith(deletePrefix)) {
      const name = key.slice(deletePrefix.length);
      setOwn(merged, name, withoutValues(getOwn(merged, name), value));
    } else if (value === null) {
      delete merged[key];
    } else {
      const isThere = Object.hasOwn(merged, key);
      setOwn(
        merged,
        key,
        isThere ? mergeField(getOwn(merged, key), patch, key, node) : asValue(value),
      );
    }
  }
  for (const key of Object.keys(patch)) {
    const name = key.slice(orderPrefix.length);
    if (key.startsWith(orderPrefix) && Object.hasOwn(merged, name)) {
      setOwn(
        merged,
        name,
        ordered(getOwn(merged, name), patch[key], mergeKeyOf(fieldOf(node, name))),
      );
    }
  }
  return merged;
}

interface Field {
  readonly node: SchemaNode;
  readonly schema: FieldSchema | undefined;
}

function fieldOf(node: SchemaNode, key: string): Field {
  if (node.form === "struct") {
    const field = node.field(key);
    return field === undefined ? { node: untyped, schema: undefined } : field;
  }
  return { node: node.form === "map" ? node.values : untyped, schema: undefined };
}

function mergeKeyOf({ schema }: Field): string | undefined {
  return schema?.patchMergeKey;
}

function mergeField(target: unknown, patch: JsonObject, key: string, node: SchemaNode): unknown {
  const field = fieldOf(node, key);
  const value = patch[key];
  if (isJsonObject(value)) {
    const strategy = field.schema?.patchStrategy ?? "";
    return strategy.includes("replace") && getOwn(value, directive) === undefined
      ? cleaned(value)
      : mergeObject(isJsonObject(target) ? target : {}, value, field.node);
  }
  if (!Array.isArray(value)) {
    return value;
  }
  const merges = field.schema?.patchStrategy?.includes("merge") === true;
  const items = value as unknown[];
  if (!merges || items.some((item) => isJsonObject(item) && item[directive] === "replace")) {
    return itemsAsValues(items);
  }
  const current = Array.isArray(target) ? (target as unknown[]) : [];
  const mergeKey = mergeKeyOf(field);
  const all =
    mergeKey === undefined
      ? [...current, ...itemsWithout(items, current)]
      : mergeItems(
          current,
          items,
          mergeKey,
          field.node.form === "list" ? field.node.items : untyped,
        );
  // An explicit order is applied later.
  return Object.hasOwn(patch, `${orderPrefix}${key}`)
    ? all
    : interleaved(all, current, items, keyFunction(mergeKey));
}

/**
 * Orders the items of a list without an explicit order: those of the patch in its order, the others in theirs. One of
 * the others precedes an item of the patch only if it preceded that item in the old list.
 */
function interleaved(
  all: readonly unknown[],
  before: readonly unknown[],
  patch: readonly unknown[],
  keyOf: (item: unknown) => string,
): unknown[] {
  const ranks = new Map(before.map((item, at) => [keyOf(item), at]));
  const given = new Map(patch.map((item, at) => [keyOf(item), at]));
  const ranked = all.map((item) => {
    const key = keyOf(item);
    return { item, before: ranks.get(key), given: given.get(key) };
  });
  const ofPatch = ranked
    .filter((one) => one.given !== undefined)
    .sort((one, two) => (one.given ?? 0) - (two.given ?? 0));
  const others = ranked.filter((one) => one.given === undefined);
  const merged: unknown[] = [];
  let [own, other] = [ofPatch[0], others[0]];
  for (let [ownAt, otherAt] = [0, 0]; own !== undefined || other !== undefined; ) {
    const isOther =
      own === undefined ||
      (other?.before !== undefined && own.before !== undefined && other.before < own.before);
    merged.push((isOther ? other : own)?.item);
    if (isOther) {
      other = others[++otherAt];
    } else {
      own = ofPatch[++ownAt];
    }
  }
  return merged;
}

function keyFunction(mergeKey: string | undefined): (item: unknown) => string {
  return (item) =>
    stringifyJson(
      (mergeKey !== undefined && isJsonObject(item) ? getOwn(item, mergeKey) : item) ?? null,
    );
}

function mergeItems(
  current: readonly unknown[],
  items: readonly unknown[],
  mergeKey: string,
  node: SchemaNode,
): unknown[] {
  const keyOf = keyFunction(mergeKey);
  const merged = [...current];
  const deleted = new Set<number>();
  // Positions by key: searching the list for every item would take quadratic time.
  const places = new Map<string, number[]>();
  const place = (item: unknown, at: number) => {
    const key = keyOf(item);
    const known = places.get(key);
    if (known === undefined) {
      places.set(key, [at]);
    } else {
      known.push(at);
    }
  };
  for (const [at, item] of current.entries()) {
    if (isJsonObject(item)) {
      place(item, at);
    }
  }
  for (const item of items) {
    if (!isJsonObject(item)) {
      merged.push(item);
      continue;
    }
    if (getOwn(item, mergeKey) === undefined) {
      const shown = goText(item);
      throw failure(
        500,
        undefined,
        `map: ${shown} does not contain declared merge key: ${mergeKey}`,
      );
    }
    const [at, ...more] = places.get(keyOf(item)) ?? [];
    if (item[directive] === "delete") {
      for (const gone of at === undefined ? [] : [at, ...more]) {
        deleted.add(gone);
      }
      places.delete(keyOf(item));
    } else if (at === undefined) {
      place(item, merged.push(cleaned(item)) - 1);
    } else {
      merged[at] = mergeObject(merged[at] as JsonObject, item, node);
    }
  }
  return deleted.size === 0 ? merged : merged.filter((_, at) => !deleted.has(at));
}

function retained(target: JsonObject, keep: unknown): JsonObject {
  const kept: JsonObject = {};
  const keptKeys = Array.isArray(keep) ? new Set<unknown>(keep) : undefined;
  for (const key of Object.keys(target)) {
    if (keptKeys === undefined || keptKeys.has(key)) {
      setOwn(kept, key, target[key]);
    }
  }
  return kept;
}

function withoutValues(list: unknown, gone: unknown): unknown {
  if (!Array.isArray(list) || !Array.isArray(gone)) {
    return list;
  }
  return itemsWithout(list, gone);
}

function itemsWithout(items: readonly unknown[], others: readonly unknown[]): unknown[] {
  const keyOf = keyFunction(undefined);
  const keys = new Set(others.map(keyOf));
  return items.filter((item) => !keys.has(keyOf(item)));
}

/** Sorts the items named by an order; the others keep their positions. */
function ordered(list: unknown, order: unknown, mergeKey: string | undefined): unknown {
  if (!Array.isArray(list) || !Array.isArray(order)) {
    return list;
  }
  const keyOf = keyFunction(mergeKey);
  const ranks = new Map(order.map((item, at) => [keyOf(item), at]));
  const rank = (item: unknown) => ranks.get(keyOf(item));
  const named = list
    .filter((item) => rank(item) !== undefined)
    .sort((a, b) => (rank(a) ?? 0) - (rank(b) ?? 0));
  let next = 0;
  return list.map((item: unknown) => (rank(item) === undefined ? item : named[next++]));
}

/** Converts a part of a patch to a value for a missing field: without directives and nulls. */
function asValue(patch: unknown): unknown {
  return Array.isArray(patch) ? itemsAsValues(patch) : isJsonObject(patch) ? cleaned(patch) : patch;
}

function itemsAsValues(items: readonly unknown[]): unknown[] {
  return items.filter((item) => !isOnlyDirective(item)).map(asValue);
}

/** Returns true for an item that is only a directive about the list or about another item. */
function isOnlyDirective(item: unknown): boolean {
  return isJsonObject(item) && (item[directive] === "delete" || item[directive] === "replace");
}

function cleaned(patch: JsonObject): JsonObject {
  const value: JsonObject = {};
  for (const key of Object.keys(patch)) {
    if (!isDirectiveKey(key) && patch[key] !== null) {
      setOwn(value, key, asValue(patch[key]));
    }
  }
  return value;
}

/** Returns whether a key is a directive. Other keys may begin with a dollar too: `$ref` and `$schema` of a JSON schema. */
function isDirectiveKey(key: string): boolean {
  return (
    key === directive ||
    key === retainKeys ||
    key.startsWith(deletePrefix) ||
    key.startsWith(orderPrefix)
  );
}
