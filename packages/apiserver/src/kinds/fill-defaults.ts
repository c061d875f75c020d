import type { SchemaField, SchemaNode, StructNode } from "../schema/schema-node.js";
import { isJsonObject, type JsonObject, setOwn } from "../store/json-value.js";
import { canonicalQuantity } from "./quantity.js";
import { pointerFields, typeDefaults, zeroDefaults } from "./type-defaults.js";
import { typeRules } from "./type-rules.js";

/** Returns the value itself where nothing is missing; what is in the store is never changed. */
type Fill = (value: unknown) => unknown;

/** `undefined` for a type in which nothing is ever filled in; absent while it is being looked at. */
const fills = new WeakMap<SchemaNode, Fill | undefined>();

/**
 * The object with everything that its kind defaults, and with quantities in the form in which servers write them. What
 * there is to do is found once per type; a kind without defaults costs nothing.
 */
export function fillDefaults<T extends JsonObject>(object: T, schema: SchemaNode): T {
  const fill = fillOf(schema);
  if (fill === undefined) {
    return object;
  }
  // A kind with a spec is never without it.
  const hasSpec = schema.form === "struct" && schema.fieldNames.includes("spec");
  const whole = hasSpec && (object["spec"] ?? null) === null ? { ...object, spec: {} } : object;
  return fill(whole) as T;
}

function fillOf(node: SchemaNode): Fill | undefined {
  switch (node.form) {
    case "struct": {
      if (!fills.has(node)) {
        // Types may be recursive; none of those has defaults below itself.
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

function fillField({ node, schema }: SchemaField): Fill | undefined {
  if (schema.format !== "quantity") {
    return fillOf(node);
  }
  return node.form === "leaf" ? canonicalQuantity : each(canonicalQuantity);
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
  const defaults = Object.entries(typeDefaults[node.typeName] ?? {});
  const zeros = Object.entries(zeroDefaults[node.typeName] ?? {});
  const pointers = pointerFields[node.typeName] ?? [];
  const rule = typeRules[node.typeName];
  const children = node.fieldNames.flatMap((name) => {
    const field = node.field(name);
    const fill = field === undefined ? undefined : fillField(field);
    return fill === undefined ? [] : [{ name, fill }];
  });
  if (defaults.length + zeros.length + children.length === 0 && rule === undefined) {
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
      const given = value[key];
      if (isAbsent(given) && given !== filled && !(given === "" && pointers.includes(key))) {
        set(key, filled);
      }
    }
    for (const [key, filled] of zeros) {
      if (isAbsent(value[key]) || value[key] === 0) {
        set(key, filled);
      }
    }
    if (rule !== undefined) {
      object = object === value ? { ...value } : object;
      rule(object, node.fieldNames);
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

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
