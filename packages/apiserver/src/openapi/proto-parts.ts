import { concatBytes } from "@typekube/core/internal";
import { isJsonObject, type JsonObject } from "../store/json-value.js";
import { yamlText } from "./yaml-text.js";

/** Encoded fields of a message, in order. */
export type Parts = readonly Uint8Array[];

const encoder = new TextEncoder();

/** A field with a message, or with bytes. */
export function message(field: number, ...parts: readonly Parts[]): Parts {
  const body = parts.flat();
  const length = body.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return [varint(field * 8 + 2), varint(length), ...body];
}

/** A field with a text; nothing for anything else. */
export function text(field: number, value: unknown): Parts {
  return typeof value === "string" ? message(field, [encoder.encode(value)]) : [];
}

/** A field of texts. */
export function texts(field: number, values: unknown): Parts {
  return Array.isArray(values) ? values.flatMap((value) => text(field, value)) : [];
}

/** A field with a truth; nothing for false. */
export function flag(field: number, value: unknown): Parts {
  return value === true ? [varint(field * 8), varint(1)] : [];
}

/** A field with a truth that says something by being there. */
export function truth(field: number, value: boolean): Parts {
  return [varint(field * 8), varint(value ? 1 : 0)];
}

/** A field with an integer; nothing for what is none. */
export function integer(field: number, value: unknown): Parts {
  return typeof value === "number" && Number.isInteger(value) && value > 0
    ? [varint(field * 8), varint(value)]
    : [];
}

/** A field with a floating point number; nothing for what is none. */
export function double(field: number, value: unknown): Parts {
  if (typeof value !== "number") {
    return [];
  }
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return [varint(field * 8 + 1), bytes];
}

/** Entries of a map: messages of a name and a value. */
export function named(
  map: unknown,
  field: number,
  write: (value: JsonObject, raw: unknown) => Parts,
): Parts[] {
  return Object.entries(objectOf(map)).map(([name, value]) =>
    message(field, text(1, name), message(2, write(objectOf(value), value))),
  );
}

/** Extensions are texts in YAML. */
export function extensions(field: number, one: JsonObject): Parts {
  return Object.keys(one)
    .filter((key) => key.startsWith("x-"))
    .flatMap((key) => message(field, text(1, key), message(2, yaml(one[key]))));
}

/** A value as text in YAML. */
export function yaml(value: unknown): Parts {
  return text(2, yamlText(value));
}

/** A value that is an object; an empty one for anything else. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects of a list, or all of its items. */
export function listOf(value: unknown, any: true): unknown[];
export function listOf(value: unknown): JsonObject[];
export function listOf(value: unknown, any?: true): unknown[] {
  return Array.isArray(value) ? value.filter((one) => any || isJsonObject(one)) : [];
}

/** The bytes of parts. */
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
