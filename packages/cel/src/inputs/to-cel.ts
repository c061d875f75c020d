import { CelDouble } from "../values/cel-double.js";
import { CelDuration } from "../values/cel-duration.js";
import { CelFailure } from "../values/cel-failure.js";
import { isInt64, normalInt } from "../values/cel-int.js";
import { CelList } from "../values/cel-list.js";
import { CelMap } from "../values/cel-map.js";
import { CelObject } from "../values/cel-object.js";
import { CelOpaque } from "../values/cel-opaque.js";
import { CelOptional } from "../values/cel-optional.js";
import { CelTimestamp } from "../values/cel-timestamp.js";
import { CelType, dynType } from "../values/cel-type.js";
import { CelUint, maxUint64 } from "../values/cel-uint.js";
import type { CelValue } from "../values/cel-value.js";
import { readDuration, readTimestamp } from "../values/read-time.js";
import { StructType } from "../values/struct-type.js";
import { JsonList } from "./json-list.js";
import { JsonMap } from "./json-map.js";
import { JsonObject } from "./json-object.js";

/**
 * Converts a JavaScript value to a value of the language, by the declared type: a 1 is an int, or a double where a double is
 * declared. Lists, maps and objects convert their parts when they are read. A value that does not fit its type keeps
 * the type of its own, so that functions refuse it.
 *
 * @throws {TypeError} for a value that no type can hold, for example a function.
 */
export function toCel(value: unknown, type: CelType): CelValue {
  switch (type.kind) {
    case "double":
      return typeof value === "number" || typeof value === "bigint"
        ? new CelDouble(Number(value))
        : toDynamic(value);
    case "uint":
      return toUint(value) ?? toDynamic(value);
    case "bytes":
      return typeof value === "string" ? fromBase64(value) : toDynamic(value);
    case "timestamp":
      return toTimestamp(value) ?? toDynamic(value);
    case "duration":
      return (typeof value === "string" ? readDuration(value) : undefined) ?? toDynamic(value);
    case "list":
      return Array.isArray(value)
        ? new JsonList(value, type.parameters[0] ?? dynType, toCel)
        : toDynamic(value);
    case "map":
      return isRecord(value)
        ? new JsonMap(value, type.parameters[1] ?? dynType, toCel)
        : toDynamic(value);
    case "struct":
      return type instanceof StructType && isRecord(value)
        ? new JsonObject(value, type, toCel)
        : toDynamic(value);
    default:
      return toDynamic(value);
  }
}

/** Converts a value about whose type nothing is declared. A number with a fraction is a double, any other one an int. */
function toDynamic(value: unknown): CelValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isSafeInteger(value) ? value + 0 : new CelDouble(value);
    case "bigint":
      return toInteger(value);
    case "object":
      return value === null ? null : fromObject(value);
    default:
      throw new TypeError(`CEL has no type for a ${typeof value}`);
  }
}

function toInteger(value: bigint): CelValue {
  if (isInt64(value)) {
    return normalInt(value);
  }
  if (value >= 0n && value <= maxUint64) {
    return new CelUint(normalInt(value));
  }
  throw new TypeError(`${value} does not fit into 64 bits`);
}

function fromObject(value: object): CelValue {
  if (isCelValue(value)) {
    return value;
  }
  if (Array.isArray(value)) {
    return new JsonList(value, dynType, toCel);
  }
  if (value instanceof Date) {
    return new CelTimestamp(BigInt(value.getTime()) * 1_000_000n);
  }
  if (isRecord(value)) {
    return new JsonMap(value, dynType, toCel);
  }
  throw new TypeError(`CEL has no type for a ${value.constructor.name}`);
}

function isCelValue(
  value: object,
): value is Exclude<CelValue, null | string | boolean | number | bigint> {
  return (
    value instanceof Uint8Array ||
    [
      CelList,
      CelMap,
      CelObject,
      CelOpaque,
      CelOptional,
      CelTimestamp,
      CelDuration,
      CelDouble,
      CelUint,
      CelType,
    ].some((known) => value instanceof known)
  );
}

function toUint(value: unknown): CelUint | undefined {
  const integer =
    typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value))
      ? BigInt(value)
      : -1n;
  return integer >= 0n && integer <= maxUint64 ? new CelUint(normalInt(integer)) : undefined;
}

function toTimestamp(value: unknown): CelTimestamp | undefined {
  const time = typeof value === "string" ? readTimestamp(value) : undefined;
  return time instanceof CelFailure ? undefined : time;
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}

/** Returns true for an object with keys, whatever its prototype. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
