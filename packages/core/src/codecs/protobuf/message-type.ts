import {
  loadProtobufTable,
  type ProtobufField,
  type ProtobufMessage,
  type ProtobufTable,
  parseMessage,
} from "@typekube/api/protobuf";
import { KubeError } from "../../errors/kube-error.js";
import type { Selection } from "../../projection/selection.js";
import { type PlainConstructor, plainConstructor } from "../plain-objects.js";
import { SharedTexts } from "../shared-texts.js";
import { wireTypes } from "./wire.js";

/** Kinds of values to read or write. Numbers, because the decoder switches on them for every field. */
export const valueKinds = {
  string: 0,
  message: 1,
  integer: 2,
  bool: 3,
  int32: 4,
  bytes: 5,
  double: 6,
} as const;

/** One of {@link valueKinds}. */
export type ValueKind = (typeof valueKinds)[keyof typeof valueKinds];

/** JSON forms of messages. Numbers, like the kinds; a form that is not listed is a union. */
export const messageForms = {
  plain: 0,
  time: 1,
  microTime: 2,
  quantity: 3,
  intOrString: 4,
  raw: 5,
  union: 6,
} as const;

/** One of {@link messageForms}. */
export type MessageForm = (typeof messageForms)[keyof typeof messageForms];

const formByName: Readonly<Record<string, MessageForm>> = messageForms;

/**
 * How a field holds its values. Among single values, `text` is a string that JSON omits when empty, `one` is any other
 * value that JSON omits when empty, and `kept` is in JSON whatever its value. Numbers, like the kinds.
 */
export const containers = { text: 0, kept: 1, one: 2, list: 3, map: 4, inline: 5 } as const;

/** One of {@link containers}. */
export type Container = (typeof containers)[keyof typeof containers];

const kindByType: Readonly<Record<string, ValueKind>> = {
  bool: valueKinds.bool,
  bytes: valueKinds.bytes,
  double: valueKinds.double,
  int32: valueKinds.int32,
  int64: valueKinds.integer,
  string: valueKinds.string,
  uint32: valueKinds.integer,
  uint64: valueKinds.integer,
};

/** Fields of the metadata that differ in each object, or in each of its states. */
const uniqueFields: ReadonlySet<string> = new Set(["uid", "resourceVersion"]);

/** Number of the next type or field that objects may share parts of. */
let nextId = 1;

// Classes instead of object literals with getters: all fields must share one hidden class, or every access in the
// decoder's loop needs a lookup (measured: twice the time).

/** One field of a {@link MessageType}. */
export class FieldType {
  readonly jsonName: string;
  readonly tag: number;
  readonly kind: ValueKind;
  readonly container: Container;
  /** `true` for a Go pointer: absent differs from zero. */
  readonly pointer: boolean;
  /** Bit of the field in `alwaysMask`; 0 for a field that JSON omits when empty. */
  readonly bit: number;
  /** Tag of a map entry's value. */
  readonly valueTag: number;
  /** Constructs the objects of a map field. Their keys are similar in all objects of a type. */
  readonly Plain: PlainConstructor;
  /** `true` for `metadata.managedFields`, which callers may drop. */
  readonly isManagedFields: boolean;
  /** `true` for texts that differ in each object: looking them up in the table of common strings finds nothing. */
  readonly isUnique: boolean;
  /** Common string that was the field's last text: it is often the next one too. */
  lastEntry: number;
  /** Selects what is read of the value; `undefined` for all of it. */
  readonly kept: Selection | undefined;
  /** Identifies the field among the scopes of shared parts: other objects may share a map of it. */
  readonly id: number;
  readonly #table: ProtobufTable;
  readonly #type: string;
  #message: MessageType | undefined;
  #whole: FieldType | undefined;

  constructor(
    table: ProtobufTable,
    owner: string,
    field: ProtobufField,
    nextBit: number,
    kept?: Selection,
  ) {
    const kind = kindByType[field.type] ?? valueKinds.message;
    this.jsonName = field.jsonName;
    this.kind = kind;
    this.pointer = field.pointer;
    const wireType = wireTypeOf(kind);
    this.tag = field.number * 8 + (field.container === "map" ? wireTypes.bytes : wireType);
    this.valueTag = 2 * 8 + wireType;
    // Go's omitempty never omits a struct that is not a pointer; only omitzero does.
    const isStruct = kind === valueKinds.message && field.container === "one" && !field.pointer;
    const always = (field.always || isStruct) && !field.omitZero;
    if (always && nextBit >= 31) {
      throw new KubeError(
        "Decode",
        `${owner} has more than 31 fields that are always written, the maximum`,
      );
    }
    this.bit = always ? 1 << nextBit : 0;
    this.container = containerOf(this, field);
    this.Plain = field.container === "map" ? plainConstructor(0) : noPlain;
    this.isManagedFields = owner === "ObjectMeta" && field.jsonName === "managedFields";
    this.isUnique = owner === "ObjectMeta" && uniqueFields.has(field.jsonName);
    this.lastEntry = 0;
    this.kept = kept?.whole ? undefined : kept;
    this.id = nextId++;
    this.#table = table;
    this.#type = field.type;
    this.#message = undefined;
    this.#whole = this.kept && new FieldType(table, owner, field, nextBit);
  }

  /**
   * Returns the type of a message value, looked up on first use, since types may be recursive. Of a map, only its keys
   * are selected.
   */
  get message(): MessageType {
    if (this.#message === undefined) {
      const type = messageType(this.#table, this.#type);
      this.#message =
        this.kept === undefined || this.container === containers.map
          ? type
          : type.keeping(this.kept);
    }
    return this.#message;
  }

  /** Returns this field without a selection. */
  get whole(): FieldType {
    return this.#whole ?? this;
  }
}

function containerOf({ kind, bit }: FieldType, field: ProtobufField): Container {
  if (field.inline) {
    return containers.inline;
  }
  if (field.container !== "one") {
    return containers[field.container];
  }
  if (field.pointer || bit !== 0) {
    return containers.kept;
  }
  return kind === valueKinds.string ? containers.text : containers.one;
}

function wireTypeOf(kind: ValueKind): number {
  switch (kind) {
    case valueKinds.string:
    case valueKinds.message:
    case valueKinds.bytes:
      return wireTypes.bytes;
    case valueKinds.double:
      return wireTypes.fixed64;
    default:
      return wireTypes.varint;
  }
}

/** A message type for the decoder and encoder, built once per table entry on first use. */
export class MessageType {
  /** `core/v1.Pod`. */
  readonly name: string;
  /** Unique number of the type. */
  readonly id: number;
  /** Form as named by the table. */
  readonly form: string | undefined;
  readonly jsonForm: MessageForm;
  /** Fields in the order of their numbers. */
  readonly fields: readonly FieldType[];
  /** Fields by number; a hole is an unknown field. */
  readonly byNumber: readonly (FieldType | undefined)[];
  /** Bits of the fields that JSON has even when the message lacks them. */
  readonly alwaysMask: number;
  /** `true` when it has items, which have metadata of their own. */
  readonly isList: boolean;
  /** `true` for metadata and objects with metadata: their value depends on whether managedFields are kept. */
  readonly holdsManagedFields: boolean;
  /** Constructs the objects of the type. One constructor per type, so that they share their hidden class. */
  readonly Plain: PlainConstructor;
  /** `true` when only some of its fields are read. The others are skipped, whether the tables know them or not. */
  readonly isPartial: boolean;
  /** `true` when its objects get the mark of a projected object. */
  readonly isMarked: boolean;
  /** Shared objects of a partial type that reads nothing but a text. */
  readonly sharedTexts: SharedTexts | undefined;
  #jsonNames: ReadonlySet<string> | undefined;
  #holdsRawItems: boolean | undefined;
  readonly #table: ProtobufTable;
  readonly #message: ProtobufMessage;
  /** Types of the same message that keep some fields only, while their selections are in use. */
  readonly #partial = new WeakMap<Selection, MessageType>();

  /** @param kept - selects the fields to read; `undefined` for all. */
  constructor(table: ProtobufTable, name: string, message: ProtobufMessage, kept?: Selection) {
    this.name = `${table.name}.${name}`;
    this.id = nextId++;
    this.form = message.form;
    this.jsonForm = formByName[message.form ?? "plain"] ?? messageForms.union;
    this.isPartial = kept !== undefined;
    this.isMarked = kept?.isMarked === true;
    this.#table = table;
    this.#message = message;
    let bits = 0;
    const fields: FieldType[] = [];
    for (const field of message.fields) {
      const chosen = field.inline ? kept : kept?.fields.get(field.jsonName);
      if (kept === undefined || chosen !== undefined) {
        const type = new FieldType(table, name, field, bits, chosen);
        bits += type.bit === 0 ? 0 : 1;
        fields.push(type);
      }
    }
    this.fields = fields;
    const [first] = fields;
    this.sharedTexts =
      kept !== undefined && fields.length === 1 && first?.container === containers.text
        ? new SharedTexts(first.jsonName)
        : undefined;
    const byNumber: (FieldType | undefined)[] = [];
    for (const field of this.fields) {
      byNumber[field.tag >>> 3] = field;
    }
    this.byNumber = Array.from(byNumber);
    this.alwaysMask = this.fields.reduce((mask, field) => mask | field.bit, 0);
    this.isList = this.fields.some(
      (field) => field.jsonName === "items" && field.container === containers.list,
    );
    this.holdsManagedFields =
      name === "ObjectMeta" || message.fields.some(({ type }) => /\bObjectMeta$/.test(type));
    this.Plain = plainConstructor(this.fields.length + Number(this.isMarked));
  }

  /**
   * Returns the type that reads only the selected fields. A message whose JSON is not an object of its fields is read as
   * a whole.
   */
  keeping(selection: Selection): MessageType {
    if (selection.whole || this.jsonForm !== messageForms.plain) {
      return this;
    }
    let partial = this.#partial.get(selection);
    if (partial === undefined) {
      const name = this.name.slice(this.#table.name.length + 1);
      partial = new MessageType(this.#table, name, this.#message, selection);
      this.#partial.set(selection, partial);
    }
    return partial;
  }

  /** Returns the fields of the JSON object, including those of inlined messages. */
  get jsonNames(): ReadonlySet<string> {
    this.#jsonNames ??= new Set(
      this.fields.flatMap((field) =>
        field.container === containers.inline ? [...field.message.jsonNames] : [field.jsonName],
      ),
    );
    return this.#jsonNames;
  }

  /** `true` when its items are JSON objects of any kind. */
  get holdsRawItems(): boolean {
    this.#holdsRawItems ??= this.fields.some(
      (field) =>
        field.jsonName === "items" &&
        field.kind === valueKinds.message &&
        field.message.jsonForm === messageForms.raw,
    );
    return this.#holdsRawItems;
  }
}

const compiled = new WeakMap<ProtobufTable, Map<string, MessageType>>();

/** Returns the type of a message in a table; `name` may refer to an imported table (`meta/v1.ObjectMeta`). */
function messageType(table: ProtobufTable, name: string): MessageType {
  const dot = name.lastIndexOf(".");
  const home = dot < 0 ? table : table.imports[name.slice(0, dot)];
  const type = home && findMessageType(home, name.slice(dot + 1));
  if (type === undefined) {
    throw new KubeError(
      "Decode",
      `the protobuf tables lack ${name}, which ${table.name} refers to`,
    );
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
    const message = parseMessage(table, name);
    if (message === undefined) {
      return undefined;
    }
    type = new MessageType(table, name, message);
    types.set(name, type);
  }
  return type;
}

const noPlain = plainConstructor(0);

const metaApiVersion = "meta.k8s.io/v1";
const resolved = new Map<string, MessageType>();

/** Type that was requested last: a watch requests the same type for each event. */
let last: { apiVersion: string; kind: string; type: MessageType } | undefined;

/** Returns the type of a kind if its table is loaded; otherwise use {@link loadMessageType}. */
export function loadedMessageType(apiVersion: string, kind: string): MessageType | undefined {
  if (last?.kind === kind && last.apiVersion === apiVersion) {
    return last.type;
  }
  const type = resolved.get(`${apiVersion} ${kind}`);
  if (type !== undefined) {
    last = { apiVersion, kind, type };
  }
  return type;
}

/**
 * Loads the type of a kind. Kinds that belong to every group-version (Status, the options, WatchEvent) are in meta/v1.
 *
 * @returns `undefined` for a kind without built-in protobuf: custom resources, removed kinds.
 */
export async function loadMessageType(
  apiVersion: string,
  kind: string,
): Promise<MessageType | undefined> {
  const known = loadedMessageType(apiVersion, kind);
  if (known !== undefined) {
    return known;
  }
  // Discovery documents of older servers have no apiVersion, neither in the envelope nor in JSON.
  const table = await loadProtobufTable(apiVersion || metaApiVersion);
  const meta = await loadProtobufTable(metaApiVersion);
  const type =
    (table && findMessageType(table, kind)) ?? (table && meta && findMessageType(meta, kind));
  if (type !== undefined) {
    resolved.set(`${apiVersion} ${kind}`, type);
  }
  return type;
}
