import { nestsDeeperThan } from "../codecs/json/depth.js";
import { stringifyJson } from "../codecs/json/encode.js";
import { parseText } from "../codecs/json/parse.js";
import { getOwn, isJsonObject, jsonEqual } from "../objects/json-value.js";
import { defaultLimits } from "../options/limits.js";

/**
 * One step into an object, as in managedFields: a field or map key, a list item by its keys, a set item by its value,
 * or an item by its index.
 */
export type FieldPathElement =
  | { readonly field: string }
  | { readonly keys: Readonly<Record<string, unknown>> }
  | { readonly value: unknown }
  | { readonly index: number };

/** Path to a place in an object. */
export type FieldPath = readonly FieldPathElement[];

/** Formats a step as in `fieldsV1`: `f:name`, `k:{"name":"web"}`, `v:"x"`, `i:0`. Keys are sorted. */
export function elementToText(element: FieldPathElement): string {
  if ("field" in element) {
    return `f:${element.field}`;
  }
  if ("keys" in element) {
    const sorted = Object.entries(element.keys).sort(([a], [b]) => (a < b ? -1 : 1));
    return `k:${stringifyJson(Object.fromEntries(sorted))}`;
  }
  return "value" in element ? `v:${stringifyJson(element.value)}` : `i:${element.index}`;
}

/**
 * Parses a step of `fieldsV1`.
 *
 * @returns `undefined` for an unknown form.
 */
export function elementFromText(text: string): FieldPathElement | undefined {
  const rest = text.slice(2);
  switch (text.slice(0, 2)) {
    case "f:":
      return { field: rest };
    case "k:": {
      const keys = valueFromText(rest);
      return isJsonObject(keys) ? { keys } : undefined;
    }
    case "v:": {
      const value = valueFromText(rest);
      return value === undefined ? undefined : { value };
    }
    case "i:":
      return /^\d+$/.test(rest) ? { index: Number(rest) } : undefined;
    default:
      return undefined;
  }
}

/** Parses JSON; `undefined` for a text that is not JSON or nests deeper than the default `maxDepth`. */
function valueFromText(text: string): unknown {
  if (nestsDeeperThan(text, defaultLimits.maxDepth)) {
    return undefined;
  }
  try {
    return parseText(text, true);
  } catch {
    return undefined;
  }
}

/**
 * Returns the list item that a step leads to, with its index; `undefined` when no item matches. An item without one of
 * the keys may have that key's default: it matches only when no other item has all keys.
 */
export function itemAt(
  list: readonly unknown[],
  element: FieldPathElement,
): { readonly index: number; readonly item: unknown } | undefined {
  const index = indexOf(list, element);
  return index >= 0 && index < list.length ? { index, item: list[index] } : undefined;
}

function indexOf(list: readonly unknown[], element: FieldPathElement): number {
  if ("index" in element) {
    return element.index;
  }
  if ("value" in element) {
    return list.findIndex((item) => jsonEqual(item, element.value));
  }
  if (!("keys" in element)) {
    return -1;
  }
  const keys = Object.entries(element.keys);
  const isItem = (item: unknown, isDefault: (value: unknown) => boolean) =>
    isJsonObject(item) &&
    keys.some(([key]) => getOwn(item, key) !== undefined) &&
    keys.every(([key, value]) => {
      const own = getOwn(item, key);
      return jsonEqual(own, value) || isDefault(own);
    });
  const exact = list.findIndex((item) => isItem(item, () => false));
  return exact >= 0 ? exact : list.findIndex((item) => isItem(item, (own) => own === undefined));
}

/** Returns the value at a path; `undefined` when it does not exist. */
export function valueAt(object: unknown, path: FieldPath): unknown {
  let current = object;
  for (const element of path) {
    if ("field" in element) {
      current = isJsonObject(current) ? getOwn(current, element.field) : undefined;
    } else {
      current = Array.isArray(current) ? itemAt(current, element)?.item : undefined;
    }
  }
  return current;
}
