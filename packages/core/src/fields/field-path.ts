import { nestsDeeperThan } from "../codecs/json/depth.js";
import { stringifyJson } from "../codecs/json/encode.js";
import { parseText } from "../codecs/json/parse.js";
import { defaultLimits } from "../limits.js";
import { getOwn, isJsonObject, jsonEqual } from "../patch/json-value.js";

/**
 * One step into an object, as managedFields know it: a field or key, the item of a list by its keys, the item of a set by its
 * value, or an item by its number.
 */
export type FieldPathElement =
  | { readonly field: string }
  | { readonly keys: Readonly<Record<string, unknown>> }
  | { readonly value: unknown }
  | { readonly index: number };

/** The way to a place in an object. */
export type FieldPath = readonly FieldPathElement[];

/** A step as `fieldsV1` writes it: `f:name`, `k:{"name":"web"}`, `v:"x"`, `i:0`. Keys are sorted. */
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
 * Reads a step as `fieldsV1` writes it.
 *
 * @returns `undefined` for a form that this library does not know.
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

/** `undefined` for a text that is not JSON, or nests deeper than any value of an object may. */
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
 * The item of a list that a step leads to, and where it is; `undefined` when there is none. A key that an item does not have may be
 * one with a default: such an item is taken where no other has all keys.
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

/** The value at a path; `undefined` when there is nothing. */
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
