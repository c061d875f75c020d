import { typeDefaults } from "../../generated/type-defaults.js";
import { isJsonObject, type JsonObject, setOwn } from "../../objects/json-value.js";
import type { SchemaField, SchemaNode, StructNode } from "../../schema/schema-node.js";
import { canonicalForm } from "./canonical-form.js";
import { typeRules } from "./type-rules.js";

/** Returns the same value if nothing is missing; never modifies stored values. */
type Fill = (value: unknown) => unknown;

/** Compiled functions by type: `undefined` for a type without defaults, and temporarily while a type is being compiled. */
const fills = new WeakMap<SchemaNode, Fill | undefined>();

/**
 * Fills in all defaults of a kind, and normalizes times, quantities and bytes to their stored form. Compiled once per
 * type.
 */
export function fillDefaults<T extends JsonObject>(object: T, schema: SchemaNode): T {
  const fill = fillOf(schema);
  if (fill === undefined) {
    return object;
  }
  // Kinds with a spec always have one, even if empty.
  const hasSpec = schema.form === "struct" && schema.fieldNames.includes("spec");
  const whole = hasSpec && (object["spec"] ?? null) === null ? { ...object, spec: {} } : object;
  return fill(whole) as T;
}

/** Normalizes the metadata of a custom resource to its stored form. */
export function canonicalMetadata<T extends JsonObject>(object: T, schema: SchemaNode): T {
  const node = schema.form === "struct" ? schema.field("metadata")?.node : undefined;
  const given = object["metadata"];
  const metadata =
    node === undefined || !isJsonObject(given) ? given : canonicalStruct(given, node);
  return metadata === given ? object : { ...object, metadata };
}

/** Normalizes a single struct to its stored form. */
export function canonicalStruct(object: JsonObject, node: SchemaNode): JsonObject {
  return (fillOf(node)?.(object) ?? object) as JsonObject;
}

function fillOf(node: SchemaNode): Fill | undefined {
  switch (node.form) {
    case "struct": {
      if (!fills.has(node)) {
        // Breaks recursion: recursive types have no defaults below themselves.
        fills.set(node, undefined);
        fills.set(node, fillStruct(node));
      }
      return fills.get(node);
    }
    case "list":
      return each(fillOf(node.items));
    case "map":
      return each(fillOf(node.values));
    case "leaf":
    case "untyped":
      return undefined;
    default:
      return node satisfies never;
  }
}

function fillField(field: SchemaField, packageName: string | undefined): Fill | undefined {
  const { node } = field;
  const canonical = canonicalForm(field, packageName);
  if (canonical === undefined) {
    return fillOf(node);
  }
  return node.form === "leaf" ? canonical : each(canonical);
}

function each(fill: Fill | undefined): Fill | undefined {
  if (fill === undefined) {
    return undefined;
  }
  return (values) => {
    if (Array.isArray(values)) {
      const filled = values.map(fill);
      return filled.some((value, at) => value !== values[at]) ? filled : values;
    }
    let copy: JsonObject | undefined;
    for (const [key, value] of isJsonObject(values) ? Object.entries(values) : []) {
      const filled = fill(value);
      if (filled !== value) {
        copy ??= { ...(values as JsonObject) };
        setOwn(copy, key, filled);
      }
    }
    return copy ?? values;
  };
}

function fillStruct(node: StructNode): Fill | undefined {
  const own = typeDefaults[node.packageName ?? ""]?.[node.typeName];
  const defaults = Object.entries(own?.fields ?? {});
  const keepsEmpty = own?.keepsEmpty ?? [];
  const rule = typeRules[node.typeName];
  const children = node.fieldNames.flatMap((name) => {
    const field = node.field(name);
    const fill = field === undefined ? undefined : fillField(field, node.packageName);
    return fill === undefined ? [] : [{ name, fill }];
  });
  if (defaults.length + children.length === 0 && rule === undefined) {
    return undefined;
  }
  return (value) => {
    if (!isJsonObject(value)) {
      return value;
    }
    let object = value;
    const set = (key: string, filled: unknown) => {
      if (object === value) {
        object = { ...value };
      }
      object[key] = filled;
    };
    for (const [key, filled] of defaults) {
      const given = value[key] ?? undefined;
      if (
        given === undefined ||
        (isEmpty(given) && given !== filled && !keepsEmpty.includes(key))
      ) {
        set(key, filled);
      }
    }
    if (rule !== undefined) {
      object = object === value ? { ...value } : object;
      rule(object, value);
    }
    for (const { name, fill } of children) {
      const inner = object[name];
      if (inner !== undefined && inner !== null) {
        const filled = fill(inner);
        if (filled !== inner) {
          set(name, filled);
        }
      }
    }
    return object;
  };
}

/** Returns whether Go's JSON decoder can't tell a value from an omitted one. */
function isEmpty(value: unknown): boolean {
  return (
    value === "" || value === 0 || value === false || (Array.isArray(value) && value.length === 0)
  );
}
