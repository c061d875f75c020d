import { setOwn } from "./own-property.js";

/** A JSON object. Integers beyond 2^53 are `bigint`; a key whose value is `undefined` is absent. */
export interface JsonObject {
  [key: string]: unknown;
}

/** Returns whether a value is a JSON object: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads an own key of the object. `__proto__` is a key like any other. */
export function getOwn(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns the value at a path of keys; `undefined` when a part of the path is missing. */
export function getPath(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (!isJsonObject(current)) {
      return undefined;
    }
    current = getOwn(current, key);
  }
  return current;
}

/** Returns the keys that have a value. */
export function keysOf(object: JsonObject): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}

/** Returns a deep copy, which may be changed, without keys whose value is `undefined`. */
export function cloneJson<T>(value: T): T {
  if (Array.isArray(value)) {
    return value.map((item: unknown) => (item === undefined ? null : cloneJson(item))) as T;
  }
  if (isJsonObject(value)) {
    const copy: JsonObject = {};
    for (const key of keysOf(value)) {
      setOwn(copy, key, cloneJson(value[key]));
    }
    return copy as T;
  }
  return value;
}

/** Returns whether two values are the same JSON. The order of keys does not matter, and 1 equals `1n`. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true;
  }
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, at) => jsonEqual(item, b[at]))
    );
  }
  if (!isJsonObject(a) || !isJsonObject(b)) {
    return typeof a === "bigint" || typeof b === "bigint"
      ? isNumeric(a) && isNumeric(b) && String(a) === String(b)
      : false;
  }
  const keys = keysOf(a);
  return keys.length === keysOf(b).length && keys.every((key) => jsonEqual(a[key], getOwn(b, key)));
}

function isNumeric(value: unknown): boolean {
  return typeof value === "bigint" || typeof value === "number";
}

/** Returns the strings in a list; empty for anything else. */
export function stringsOf(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === "string")
    : [];
}
