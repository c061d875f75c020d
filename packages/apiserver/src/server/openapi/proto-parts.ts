import { concatBytes } from "@typekube/core/internal";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { yamlText } from "./yaml-text.js";

/** Encoded fields of a message, in order. */
export type Parts = readonly Uint8Array[];

const encoder = new TextEncoder();

/** Encodes a message or bytes field. */
export function message(field: number, ...parts: readonly Parts[]): Parts {
  const body = parts.flat();
  const length = body.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return [varint(field * 8 + 2), varint(length), ...body];
}

/** Encodes a string field; nothing for other values. */
export function text(field: number, value: unknown): Parts {
  return typeof value === "string" ? message(field, [encoder.encode(value)]) : [];
}

/** Encodes a repeated string field. */
export function texts(field: number, values: unknown): Parts {
  return Array.isArray(values) ? values.flatMap((value) => text(field, value)) : [];
}

/** Encodes a boolean field; nothing for false. */
export function flag(field: number, value: unknown): Parts {
  return value === true ? [varint(field * 8), varint(1)] : [];
}

/** Encodes a boolean field, including false. */
export function truth(field: number, value: boolean): Parts {
  return [varint(field * 8), varint(value ? 1 : 0)];
}

/** Encodes a positive integer field; nothing for other values. */
export function integer(field: number, value: unknown): Parts {
  return typeof value === "number" && Number.isInteger(value) && value > 0
    ? [varint(field * 8), varint(value)]
    : [];
}

/** Encodes a double field; nothing for other values. */
export function double(field: number, value: unknown): Parts {
  if (typeof value !== "number") {
    return [];
  }
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return [varint(field * 8 + 1), bytes];
}

/** Encodes map entries as messages with a name and a value. */
export function named(
  map: unknown,
  field: number,
  write: (value: JsonObject, raw: unknown) => Parts,
): Parts[] {
  return Object.entries(objectOf(map)).map(([name, value]) =>
    message(field, text(1, name), message(2, write(objectOf(value), value))),
  );
}

/** Encodes extensions, whose values are YAML text. */
export function extensions(field: number, one: JsonObject): Parts {
  return Object.keys(one)
    .filter((key) => key.startsWith("x-"))
    .flatMap((key) => message(field, text(1, key), message(2, yaml(one[key]))));
}

/** Encodes a value as YAML text. */
export function yaml(value: unknown): Parts {
  return text(2, yamlText(value));
}

/** Returns a value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns the objects of a list, or all of its items. */
export function listOf(value: unknown, any: true): unknown[];
export function listOf(value: unknown): JsonObject[];
export function listOf(value: unknown, any?: true): unknown[] {
  return Array.isArray(value) ? value.filter((one) => any || isJsonObject(one)) : [];
}

/** Concatenates parts. */
export function bytesOf(parts: Parts): Uint8Array {
  return concatBytes(parts);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
    bytes.push((rest % 0x80) | 0x80);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
