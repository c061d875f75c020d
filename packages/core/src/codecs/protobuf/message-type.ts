import {
  loadProtobufTable,
  type ProtobufField,
  type ProtobufTable,
  parseMessage,
} from "@typekube/api/protobuf";
import { KubeError } from "../../kube-error.js";
import { wireTypes } from "./wire.js";

/** A message as the decoder and encoder use it: built once per table entry, on first use. */
export interface MessageType {
  /** `core/v1.Pod`. */
  readonly name: string;
  readonly form: string | undefined;
  /** In the order of their numbers. */
  readonly fields: readonly FieldType[];
  /** By tag (field number and wire type as they stand on the wire); a hole is an unknown field. */
  readonly byTag: readonly (FieldType | undefined)[];
  /** The fields that stand in the JSON object, those of inlined messages included. */
  readonly jsonNames: ReadonlySet<string>;
  /** Bits of the fields that JSON shows even when the wire lacks them. */
  readonly alwaysMask: number;
  /** Makes the object. One constructor per type, so that the objects of a type share their hidden class. */
  readonly Shape: new () => Record<string, unknown>;
}

/** What is read or written for one value. */
export type ValueKind =
  | "bool"
  | "bytes"
  | "double"
  | "int32"
  | "integer"
  | "message"
  | "string";

/** One field of a {@link MessageType}. */
export interface FieldType extends ProtobufField {
  readonly kind: ValueKind;
  readonly tag: number;
  /** The type of a message value; a getter, since types may be recursive. */
  readonly message: MessageType | undefined;
  /** Its bit in `alwaysMask`; 0 for a field that is left out of JSON when empty. */
  readonly bit: number;
  /** `metadata.managedFields`, which a reader may not want. */
  readonly isManagedFields: boolean;
}

const scalars: Readonly<Record<string, ValueKind>> = {
  bool: "bool",
  bytes: "bytes",
  double: "double",
  int32: "int32",
  int64: "integer",
  string: "string",
  uint32: "integer",
  uint64: "integer",
};

const compiled = new WeakMap<ProtobufTable, Map<string, MessageType>>();

/** The type of a message in a table; `name` may point into another (`meta/v1.ObjectMeta`). */
function messageType(table: ProtobufTable, name: string): MessageType {
  const dot = name.lastIndexOf(".");
  const home = dot < 0 ? table : table.imports[name.slice(0, dot)];
  const local = name.slice(dot + 1);
  const type = home && findMessageType(home, local);
  if (type === undefined) {
    throw new KubeError("Decode", `the protobuf tables lack ${name}, which ${table.name} refers to`);
  }
  return type;
}

function findMessageType(table: ProtobufTable, name: string): MessageType | undefined {
  let types = compiled.get(table);
  if (types === undefined) {
    types = new Map();
    compiled.set(table, types);
  }
  let type = types.get(name);
  if (type === undefined) {
    type = compile(table, name);
    if (type !== undefined) {
      types.set(name, type);
    }
  }
  return type;
}

function compile(table: ProtobufTable, name: string): MessageType | undefined {
  const message = parseMessage(table, name);
  if (message === undefined) {
    return undefined;
  }
  let bits = 0;
  const fields = message.fields.map((field) => {
    const type = fieldType(table, name, field, bits);
    bits += type.bit === 0 ? 0 : 1;
    return type;
  });
  const byTag: (FieldType | undefined)[] = [];
  for (const field of fields) {
    byTag[field.tag] = field;
  }
  let jsonNames: Set<string> | undefined;
  return {
    name: `${table.name}.${name}`,
    form: message.form,
    fields,
    byTag: Array.from(byTag),
    get jsonNames() {
      jsonNames ??= new Set(
        fields.flatMap((field) =>
          field.inline ? [...(field.message?.jsonNames ?? [])] : [field.jsonName],
        ),
      );
      return jsonNames;
    },
    alwaysMask: fields.reduce((mask, field) => mask | field.bit, 0),
    Shape: makeShape(),
  };
}

function fieldType(
  table: ProtobufTable,
  owner: string,
  field: ProtobufField,
  bits: number,
): FieldType {
  const kind = scalars[field.type] ?? "message";
  const wireType =
    field.container === "map" || kind === "message" || kind === "string" || kind === "bytes"
      ? wireTypes.bytes
      : kind === "double"
        ? wireTypes.fixed64
        : wireTypes.varint;
  // Go's omitempty never leaves out a struct that is no pointer; only omitzero does.
  const isStruct = kind === "message" && field.container === "one" && !field.pointer;
  const always = (field.always || isStruct) && !field.omitZero;
  if (always && bits >= 31) {
    throw new KubeError("Decode", `${owner} has more than 31 fields that are always written`);
  }
  let message: MessageType | undefined;
  return {
    ...field,
    kind,
    tag: field.number * 8 + wireType,
    bit: always ? 1 << bits : 0,
    isManagedFields: owner === "ObjectMeta" && field.jsonName === "managedFields",
    get message() {
      if (kind === "message") {
        message ??= messageType(table, field.type);
      }
      return message;
    },
  };
}

// A function expression per call: V8 learns the number of properties per constructor. The prototype is the plain one,
// so the objects are plain objects to everybody.
function makeShape(): new () => Record<string, unknown> {
  const shape = function shape() {} as unknown as { new (): Record<string, unknown>; prototype: object };
  shape.prototype = Object.prototype;
  return shape;
}

const metaApiVersion = "meta.k8s.io/v1";
const resolved = new Map<string, MessageType>();

/** The type of a kind if its table is loaded already; else {@link loadMessageType} it. */
export function loadedMessageType(apiVersion: string, kind: string): MessageType | undefined {
  return resolved.get(`${apiVersion} ${kind}`);
}

/**
 * Loads the type of a kind. Kinds that belong to every group-version (Status, the options, WatchEvent) stand in
 * meta/v1.
 *
 * @returns `undefined` for a kind that has no protobuf here: custom resources, kinds that no longer exist.
 */
export async function loadMessageType(
  apiVersion: string,
  kind: string,
): Promise<MessageType | undefined> {
  const known = loadedMessageType(apiVersion, kind);
  if (known !== undefined) {
    return known;
  }
  const table = await loadProtobufTable(apiVersion);
  const meta = await loadProtobufTable(metaApiVersion);
  const type =
    (table && findMessageType(table, kind)) ?? (table && meta && findMessageType(meta, kind));
  if (type !== undefined) {
    resolved.set(`${apiVersion} ${kind}`, type);
  }
  return type;
}
