import type { ResourceDescriptor } from "@typekube/api";
import { type ProtobufField, type ProtobufTable, parseMessage } from "@typekube/api/protobuf";
import {
  isJsonObject,
  type JsonObject,
  jsonEqual,
  mapItems,
  mapValues,
  setOwn,
} from "../objects/json-value.js";
import type { ServedResource } from "./served-resource.js";

/** The stored form of one kind on a server whose objects are Go structs. */
export interface TypedForm {
  /** Content of an empty object of the kind; no manager owns these fields. */
  readonly empty: JsonObject;
  /**
   * Returns an object as the server writes it: adds structs and fields that are always present, and removes zero values
   * that Go omits, so that JSON and protobuf have the same content. The object's own metadata is unchanged.
   */
  of<T extends JsonObject>(object: T): T;
}

/** Returns the form of a kind; `undefined` for kinds without a Go type here. */
export type TypedFormSource = (
  resource: Pick<ServedResource, "descriptor">,
) => Promise<TypedForm | undefined>;

/** Creates a source from the protobuf tables, which record the fields that Go types always write. */
export function createTypedFormSource(): TypedFormSource {
  const known = new WeakMap<ResourceDescriptor, Promise<TypedForm | undefined>>();
  return ({ descriptor }) => {
    let form = known.get(descriptor);
    if (form === undefined) {
      form = load(descriptor);
      known.set(descriptor, form);
    }
    return form;
  };
}

async function load({ apiVersion, kind }: ResourceDescriptor): Promise<TypedForm | undefined> {
  const { loadProtobufTable } = await import("@typekube/api/protobuf");
  const table = await loadProtobufTable(apiVersion);
  const type = table === undefined ? undefined : typeOf(table, kind);
  if (type?.fields === undefined) {
    return undefined;
  }
  const besidesMetadata = withoutField(type, "metadata");
  return {
    empty: write(type, {}),
    of: <T extends JsonObject>(object: T) =>
      write(object["metadata"] === undefined ? type : besidesMetadata, object) as T,
  };
}

/** A Go type. */
interface Type {
  /** Absent for a type that is not an object in JSON: times, quantities and the like. */
  readonly fields: ReadonlyMap<string, Field> | undefined;
  /** The fields that Go also writes when they are unset. */
  readonly alwaysWritten: readonly (readonly [string, Field])[];
  /** JSON of the type's zero value. */
  readonly zero: unknown;
}

interface Field {
  readonly facts: ProtobufField;
  /** Returns the type of the field; `undefined` for scalars. Resolved lazily, because types may be recursive. */
  type(): Type | undefined;
}

const types = new WeakMap<ProtobufTable, Map<string, Type | undefined>>();

function typeOf(table: ProtobufTable, name: string): Type | undefined {
  const dot = name.lastIndexOf(".");
  if (dot > 0) {
    const owner = table.imports[name.slice(0, dot)];
    return owner === undefined ? undefined : typeOf(owner, name.slice(dot + 1));
  }
  let known = types.get(table);
  if (known === undefined) {
    known = new Map();
    types.set(table, known);
  }
  if (!known.has(name)) {
    known.set(name, readType(table, name));
  }
  return known.get(name);
}

const zeroOfForm: Readonly<Record<string, unknown>> = {
  intOrString: 0,
  quantity: "0",
  schemaOrBool: false,
};

function readType(table: ProtobufTable, name: string): Type | undefined {
  const message = parseMessage(table, name);
  if (message === undefined) {
    return undefined;
  }
  if (message.form !== undefined) {
    return { fields: undefined, alwaysWritten: [], zero: zeroOfForm[message.form] ?? null };
  }
  const fields = new Map<string, Field>();
  for (const facts of message.fields) {
    if (facts.inline) {
      for (const [key, field] of typeOf(table, facts.type)?.fields ?? []) {
        fields.set(key, field);
      }
    } else {
      fields.set(facts.jsonName, fieldOf(table, facts));
    }
  }
  return typeOfFields(fields);
}

function typeOfFields(fields: ReadonlyMap<string, Field>): Type {
  let always: Type["alwaysWritten"] | undefined;
  const type: Type = {
    fields,
    get alwaysWritten() {
      always ??= [...fields].filter(([, field]) => absent(field) !== undefined);
      return always;
    },
    get zero() {
      return write(type, {});
    },
  };
  return type;
}

function withoutField({ fields = new Map() }: Type, name: string): Type {
  return typeOfFields(new Map([...fields].filter(([key]) => key !== name)));
}

function fieldOf(table: ProtobufTable, facts: ProtobufField): Field {
  let type: Type | undefined;
  let isKnown = false;
  return {
    facts,
    type() {
      if (!isKnown) {
        type = typeOf(table, facts.type);
        isKnown = true;
      }
      return type;
    },
  };
}

const noFields: ReadonlyMap<string, Field> = new Map();

function write({ fields = noFields, alwaysWritten }: Type, object: JsonObject): JsonObject {
  const given = mapValues(object, (value, key) => {
    const field = fields.get(key);
    return field === undefined ? value : writeField(field, value);
  });
  let written = given;
  for (const [key, field] of alwaysWritten) {
    const value = Object.hasOwn(given, key) ? undefined : absent(field);
    if (value !== undefined) {
      written = written === object ? { ...object } : written;
      setOwn(written, key, value);
    }
  }
  return written;
}

/** Returns a value as Go writes it; `undefined` when Go omits it. */
function writeField(field: Field, value: unknown): unknown {
  const { container, pointer, always, omitZero } = field.facts;
  if (value === undefined || value === null) {
    return undefined;
  }
  const type = field.type();
  if (container !== "one") {
    return isEmpty(value) ? undefined : writeItems(type, value);
  }
  if (type === undefined) {
    return !pointer && !always && isZero(value) ? undefined : value;
  }
  const written = writeValue(type, value);
  return omitZero && !pointer && jsonEqual(written, type.zero) ? undefined : written;
}

function writeItems(type: Type | undefined, items: unknown): unknown {
  if (type?.fields === undefined) {
    return items;
  }
  return Array.isArray(items)
    ? mapItems(items, (item) => writeValue(type, item))
    : mapValues(items as JsonObject, (item) => writeValue(type, item));
}

function writeValue(type: Type, value: unknown): unknown {
  return type.fields !== undefined && isJsonObject(value) ? write(type, value) : value;
}

/** Returns the value that Go writes for an unset field; `undefined` when Go omits it. */
function absent({ facts, type }: Field): unknown {
  const { container, pointer, always, omitZero } = facts;
  const inner = type();
  // omitempty never omits a struct that is not a pointer; only omitzero does.
  if (inner !== undefined && container === "one" && !pointer) {
    return omitZero ? undefined : inner.zero;
  }
  if (!always || omitZero) {
    return undefined;
  }
  return container === "one" && !pointer ? zeroOfScalar(facts.type) : null;
}

function zeroOfScalar(type: string): unknown {
  switch (type) {
    case "string":
      return "";
    case "bool":
      return false;
    case "bytes":
      return null;
    default:
      return 0;
  }
}

function isZero(value: unknown): boolean {
  return value === "" || value === 0 || value === false;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
