import { KubeError } from "../../errors/kube-error.js";
import type { EncodeOptions } from "../codec.js";
import { encodeJson } from "../json/encode.js";
import { containers, type FieldType, type MessageType, valueKinds } from "./message-type.js";
import type { ReverseWriter } from "./reverse-writer.js";

type JsonObject = Readonly<Record<string, unknown>>;

// State of the encoding in progress: docs/wire.md, "Second results".
let refuseEmpty = false;

/**
 * Writes an object as a message, without kind and apiVersion, which belong to the envelope. Writes the same bytes as
 * the API server: fields by number, map keys sorted, fields that are no pointer in Go always, pointers when set.
 *
 * @param path - path of the object, for errors.
 */
export function encodeMessage(
  writer: ReverseWriter,
  type: MessageType,
  object: JsonObject,
  path: string,
  { refuseLoss = false }: EncodeOptions,
): void {
  refuseEmpty = refuseLoss;
  writeObject(writer, type, object, path, true);
}

function writeObject(
  writer: ReverseWriter,
  type: MessageType,
  object: JsonObject,
  path: string,
  withTypeMeta = false,
): void {
  for (const name of Object.keys(object)) {
    const known =
      type.jsonNames.has(name) || (withTypeMeta && (name === "kind" || name === "apiVersion"));
    if (!known && object[name] !== undefined) {
      throw new KubeError("InvalidArgument", `${path}.${name} is not in the protobuf schema`, {
        hint: "send the object as JSON: protobuf would drop the field",
      });
    }
  }
  writeFields(writer, type, object, path);
}

function writeFields(
  writer: ReverseWriter,
  type: MessageType,
  object: JsonObject,
  path: string,
): void {
  for (let i = type.fields.length - 1; i >= 0; i--) {
    const field = type.fields[i] as FieldType;
    if (field.container === containers.inline) {
      const mark = writer.mark();
      writeFields(writer, field.message, object, path);
      writer.lengthSince(mark);
      writer.tag(field.tag);
      continue;
    }
    const value = Object.hasOwn(object, field.jsonName) ? object[field.jsonName] : undefined;
    writeField(writer, field, value ?? undefined, `${path}.${field.jsonName}`);
  }
}

function writeField(writer: ReverseWriter, field: FieldType, value: unknown, path: string): void {
  if (field.container === containers.list) {
    const items = value === undefined ? [] : expectArray(value, path);
    assertTellable(value, items.length, path);
    for (let i = items.length - 1; i >= 0; i--) {
      writeValue(writer, field, items[i], `${path}[${i}]`);
      writer.tag(field.tag);
    }
  } else if (field.container === containers.map) {
    const map = value === undefined ? {} : expectObject(value, path);
    const keys = Object.keys(map).sort(byBytes).reverse();
    assertTellable(value, keys.length, path);
    for (const key of keys) {
      writeMapEntry(writer, field, key, map[key], path);
    }
  } else if (value !== undefined || !isOptional(field)) {
    writeValue(writer, field, value, path);
    writer.tag(field.tag);
  }
}

/**
 * Rejects an empty list or map if `refuseLoss` is set: a message contains elements and entries one by one, so it cannot
 * express that there are none.
 */
function assertTellable(value: unknown, length: number, path: string): void {
  if (refuseEmpty && length === 0 && value !== undefined) {
    throw new KubeError("InvalidArgument", `${path} is empty, which protobuf cannot express`, {
      hint: "send the object as JSON, or leave the field out",
    });
  }
}

/** Returns whether Go leaves the field out when it is absent: pointers and byte slices. */
function isOptional(field: FieldType): boolean {
  return field.pointer || field.kind === valueKinds.bytes;
}

/** Compares map keys by their bytes, as Go does. UTF-16 order differs only beyond the basic plane. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function writeMapEntry(
  writer: ReverseWriter,
  field: FieldType,
  key: string,
  value: unknown,
  path: string,
): void {
  const entry = writer.mark();
  writeValue(writer, field, value ?? undefined, `${path}[${JSON.stringify(key)}]`);
  writer.tag(isVarint(field) ? 16 : 18);
  writer.text(key);
  writer.tag(10);
  writer.lengthSince(entry);
  writer.tag(field.tag);
}

function isVarint({ kind }: FieldType): boolean {
  return kind === valueKinds.integer || kind === valueKinds.int32 || kind === valueKinds.bool;
}

/** Writes one value without its tag. Writes `undefined` as the zero value of its type. */
function writeValue(writer: ReverseWriter, field: FieldType, value: unknown, path: string): void {
  switch (field.kind) {
    case valueKinds.string:
      writer.text(expectString(value ?? "", path));
      return;
    case valueKinds.bool:
      if (typeof (value ?? false) !== "boolean") {
        throw mismatch(path, "a boolean", value);
      }
      writer.varint(value === true ? 1 : 0);
      return;
    case valueKinds.int32:
    case valueKinds.integer:
      writer.integer(expectInteger(value ?? 0, path, field.kind === valueKinds.int32 ? 32 : 64));
      return;
    case valueKinds.double:
      if (typeof (value ?? 0) !== "number" && typeof value !== "bigint") {
        throw mismatch(path, "a number", value);
      }
      writer.double(Number(value ?? 0));
      return;
    case valueKinds.bytes:
      writer.bytes(expectBase64(value ?? "", path));
      return;
    case valueKinds.message: {
      const mark = writer.mark();
      writeMessage(writer, field.message, value ?? undefined, path);
      writer.lengthSince(mark);
      return;
    }
    default:
      field.kind satisfies never;
  }
}

function writeMessage(
  writer: ReverseWriter,
  type: MessageType,
  value: unknown,
  path: string,
): void {
  switch (type.form) {
    case undefined:
      writeObject(writer, type, value === undefined ? {} : expectObject(value, path), path);
      return;
    case "time":
    case "microTime":
      if (value !== undefined) {
        writeTime(writer, expectString(value, path), path, type.form === "microTime");
      }
      return;
    case "quantity":
      writer.text(typeof value === "number" ? String(value) : expectString(value ?? "0", path));
      writer.tag(10);
      return;
    case "intOrString":
      writeIntOrString(writer, value ?? 0, path);
      return;
    case "raw":
      if (value !== undefined) {
        writer.bytes(encodeJson(value));
        writer.tag(10);
      }
      return;
    default:
      writeUnion(writer, type, value, path);
  }
}

const rfc3339 =
  /^(\d{4}-\d{2}-(\d{2})T(?:[01]\d|2[0-3]):\d{2}:\d{2})(?:[.,](\d{1,9}))?(Z|[-+]\d{2}:\d{2})$/;

/**
 * Writes a time.
 *
 * @param isMicro - requires six fractional digits, as servers do for a MicroTime in JSON. Values that they reject must
 * not get through here.
 */
function writeTime(writer: ReverseWriter, text: string, path: string, isMicro: boolean): void {
  const [, date, day, fraction = "", zone] = rfc3339.exec(text) ?? [];
  const isTime = (!isMicro || fraction.length === 6) && isInMonth(`${date}Z`, Number(day));
  const seconds = isTime ? Date.parse(`${date}${zone}`) / 1000 : Number.NaN;
  if (Number.isNaN(seconds)) {
    const example = isMicro ? "2006-01-02T15:04:05.000000Z" : "2006-01-02T15:04:05Z";
    throw mismatch(path, `a time such as ${example}`, text);
  }
  writer.integer(Number(fraction.padEnd(9, "0")));
  writer.tag(16);
  writer.integer(seconds);
  writer.tag(8);
}

/** Returns whether a day exists in its month. `Date` reads February 30 as a day in March; the server rejects it. */
function isInMonth(time: string, day: number): boolean {
  return day <= 28 || new Date(time).getUTCDate() === day;
}

function writeIntOrString(writer: ReverseWriter, value: unknown, path: string): void {
  const isString = typeof value === "string";
  writer.text(isString ? value : "");
  writer.tag(26);
  writer.integer(isString ? 0 : expectInteger(value, path, 32));
  writer.tag(16);
  writer.varint(isString ? 1 : 0);
  writer.tag(8);
}

/** Writes a wrapper message: a list in a message, or one of the three unions of a JSON schema. */
function writeUnion(writer: ReverseWriter, type: MessageType, value: unknown, path: string): void {
  const [first, second] = type.fields;
  if (first === undefined) {
    throw new KubeError("Decode", `the tables give ${type.name} no fields`);
  }
  if (type.form === "items") {
    writeField(writer, first, value, path);
  } else if (type.form === "schemaOrBool") {
    const isBool = typeof value === "boolean" || value === undefined;
    if (second && !isBool) {
      writeField(writer, second, value, path);
    }
    writeField(writer, first, isBool ? (value ?? false) : true, path);
  } else if (second) {
    writeField(writer, Array.isArray(value) ? second : first, value, path);
  }
}

function expectString(value: unknown, path: string): string {
  if (typeof value !== "string") {
    throw mismatch(path, "a string", value);
  }
  return value;
}

/** Returns an integer of at most `bits` bits. A larger one would arrive as another number. */
function expectInteger(value: unknown, path: string, bits: 32 | 64): number | bigint {
  if (typeof value !== "bigint" && !(typeof value === "number" && Number.isInteger(value))) {
    throw mismatch(path, "an integer", value);
  }
  const end = 2 ** (bits - 1);
  if (value < -end || value >= end) {
    throw new KubeError(
      "InvalidArgument",
      `${path} must be an integer of ${bits} bits, not ${value}`,
    );
  }
  return value;
}

/** Decodes base64 strictly. Buffer.from skips invalid characters and accepts base64url; the server does not. */
function expectBase64(value: unknown, path: string): Buffer {
  const text = expectString(value, path).replace(/[\r\n]/g, "");
  const bytes = Buffer.from(text, "base64");
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const isWhole = bytes.byteLength === (text.length / 4) * 3 - padding;
  if (!isWhole || text.includes("-") || text.includes("_")) {
    throw new KubeError("InvalidArgument", `${path} must be base64`);
  }
  return bytes;
}

function expectObject(value: unknown, path: string): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw mismatch(path, "an object", value);
  }
  return value as JsonObject;
}

function expectArray(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw mismatch(path, "an array", value);
  }
  return value;
}

function mismatch(path: string, expected: string, value: unknown): KubeError {
  const got = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return new KubeError("InvalidArgument", `${path} must be ${expected}, not ${got}`);
}
