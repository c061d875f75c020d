import {
  CelDouble,
  CelDuration,
  CelFailure,
  CelList,
  CelMap,
  CelTimestamp,
  CelUint,
  type CelValue,
} from "@typekube/cel";
import { formatDuration, formatTimestamp, typeOf } from "@typekube/cel/internal";
import { jsonPatchType, PatchObject } from "../expressions/patch-types.js";

/**
 * Returns the JSON of the value of an operation of a JSON Patch. Times, durations and integers beyond 2^53 become texts,
 * bytes become base64.
 *
 * @throws {TypeError} for a value that JSON cannot hold.
 */
export function jsonOfOperand(value: CelValue): unknown {
  if (typeof value === "bigint") {
    return String(value);
  }
  return jsonOf(value, jsonOfOperand);
}

/**
 * Returns the JSON of a part of an apply configuration, which holds what objects hold: numbers, texts, bools, lists and
 * maps.
 *
 * @param path - For example ".spec.replicas", for errors.
 * @throws {TypeError} for other values, for example null.
 */
export function jsonOfConfiguration(value: CelValue, path: string): unknown {
  const isForeign =
    value === null ||
    value instanceof CelDuration ||
    value instanceof CelTimestamp ||
    value instanceof Uint8Array;
  if (isForeign) {
    const shown = value === null ? "null" : typeOf(value).name;
    throw new TypeError(`${path}: expected a number, text, bool, list or object, got ${shown}`);
  }
  return jsonOf(value, (part, key) =>
    jsonOfConfiguration(part, typeof key === "number" ? `${path}[${key}]` : `${path}.${key}`),
  );
}

/** Converts the parts of a value; the key is the name of a field or the index in a list. */
function jsonOf(
  value: CelValue,
  part: (value: CelValue, key: number | string) => unknown,
): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (value instanceof PatchObject) {
    if (value.type.name === jsonPatchType.name) {
      throw new TypeError("cannot convert to native type: *structpb.Value");
    }
    return recordOf(value.fields, part);
  }
  if (value instanceof CelList) {
    return Array.from(value, part);
  }
  if (value instanceof CelMap) {
    return recordOf(entriesOf(value), part);
  }
  if (value instanceof CelDouble) {
    return value.value;
  }
  if (value instanceof CelUint) {
    return part(value.value, "");
  }
  if (value instanceof CelTimestamp) {
    return formatTimestamp(value);
  }
  if (value instanceof CelDuration) {
    return formatDuration(value);
  }
  if (value instanceof Uint8Array) {
    return Buffer.from(value).toString("base64");
  }
  throw new TypeError(`type conversion not supported for '${typeOf(value).name}'`);
}

/** Returns the entries of a map; numbers and bools become texts, as the keys of JSON. */
function* entriesOf(map: CelMap): IterableIterator<[string, CelValue]> {
  for (const key of map.keys()) {
    const value = map.find(key);
    if (value instanceof CelFailure) {
      throw new TypeError(value.message);
    }
    if (value !== undefined) {
      yield [String(jsonOfOperand(key)), value];
    }
  }
}

function recordOf(
  entries: Iterable<readonly [string, CelValue]>,
  part: (value: CelValue, key: number | string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Array.from(entries, ([key, value]) => [key, part(value, key)]));
}
