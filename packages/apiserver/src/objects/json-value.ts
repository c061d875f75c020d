import {
  cloneJson,
  getOwn,
  getPath,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  setOwn,
  stringsOf,
} from "@typekube/core/internal";

export { cloneJson, getOwn, getPath, isJsonObject, type JsonObject, jsonEqual, setOwn, stringsOf };

/** Returns a shallow copy without the given keys. */
export function omitKeys(object: JsonObject, ...keys: readonly string[]): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) {
    if (!keys.includes(key)) {
      setOwn(copy, key, object[key]);
    }
  }
  return copy;
}

/**
 * Maps the values of an object and drops those that become `undefined`. Returns the same object when nothing changes,
 * which is the usual case for writes.
 */
export function mapValues(
  object: JsonObject,
  map: (value: unknown, key: string) => unknown,
): JsonObject {
  const keys = Object.keys(object);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as string;
    const value = object[key];
    const mapped = map(value, key);
    if (mapped === undefined || mapped !== value) {
      const copy = pick(object, keys.slice(0, at));
      setUnlessUndefined(copy, key, mapped);
      for (const later of keys.slice(at + 1)) {
        setUnlessUndefined(copy, later, map(object[later], later));
      }
      return copy;
    }
  }
  return object;
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  const copy: JsonObject = {};
  for (const key of keys) {
    setOwn(copy, key, object[key]);
  }
  return copy;
}

function setUnlessUndefined(object: JsonObject, key: string, value: unknown): void {
  if (value !== undefined) {
    setOwn(object, key, value);
  }
}

/** Maps the items of a list; returns the same list when nothing changes. */
export function mapItems(
  items: readonly unknown[],
  map: (item: unknown, at: number) => unknown,
): readonly unknown[] {
  const mapped = items.map(map);
  return mapped.every((item, at) => item === items[at]) ? items : mapped;
}

/** Returns a deep copy without keys whose value is null, as a typed server stores it. */
export function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    for (const item of value as unknown[]) {
      copy.push(withoutNulls(item));
    }
    return copy as T;
  }
  if (isJsonObject(value)) {
    const copy: JsonObject = {};
    for (const key of Object.keys(value)) {
      if (value[key] !== null && value[key] !== undefined) {
        setOwn(copy, key, withoutNulls(value[key]));
      }
    }
    return copy as T;
  }
  return value;
}
