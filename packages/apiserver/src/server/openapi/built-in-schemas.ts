import type { FieldSchema, SchemaTable, TypeSchema } from "@typekube/api/schema";
import type { JsonObject } from "../../objects/json-value.js";
import { builtInName, otherNames, refTo } from "./schema-names.js";

/** Schemas of one document by name. */
export type Schemas = Map<string, JsonObject>;

const fixed: Readonly<Record<string, JsonObject>> = {
  [otherNames.Quantity]: { oneOf: [{ type: "string" }, { type: "number" }] },
  [otherNames.IntOrString]: {
    format: "int-or-string",
    oneOf: [{ type: "integer" }, { type: "string" }],
  },
  [otherNames.RawExtension]: { type: "object" },
  [builtInName("meta/v1", "FieldsV1")]: { type: "object" },
  [builtInName("meta/v1", "Patch")]: { type: "object" },
  [builtInName("meta/v1", "Time")]: { type: "string", format: "date-time" },
  [builtInName("meta/v1", "MicroTime")]: { type: "string", format: "date-time" },
  [builtInName("apiextensions/v1", "JSON")]: {},
  [builtInName("apiextensions/v1", "JSONSchemaPropsOrArray")]: {},
  [builtInName("apiextensions/v1", "JSONSchemaPropsOrBool")]: {},
  [builtInName("apiextensions/v1", "JSONSchemaPropsOrStringArray")]: {},
};

const jsonSchema = (type: string) => builtInName("apiextensions/v1", type);

/** Schema names of fields that accept any JSON, by type and field; all others are RawExtension. */
const anyTypes: Readonly<Record<string, string>> = {
  "ManagedFieldsEntry.fieldsV1": builtInName("meta/v1", "FieldsV1"),
  "JSONSchemaProps.default": jsonSchema("JSON"),
  "JSONSchemaProps.enum": jsonSchema("JSON"),
  "JSONSchemaProps.example": jsonSchema("JSON"),
  "JSONSchemaProps.items": jsonSchema("JSONSchemaPropsOrArray"),
  "JSONSchemaProps.additionalProperties": jsonSchema("JSONSchemaPropsOrBool"),
  "JSONSchemaProps.additionalItems": jsonSchema("JSONSchemaPropsOrBool"),
  "JSONSchemaProps.dependencies": jsonSchema("JSONSchemaPropsOrStringArray"),
};

const scalars = new Set(["boolean", "integer", "number", "string"]);

/**
 * Adds the schema of a built-in type and of all types that it references. Returns its name, `undefined` for an unknown
 * type.
 */
export function addBuiltIn(schemas: Schemas, table: SchemaTable, type: string): string | undefined {
  const dot = type.lastIndexOf(".");
  if (dot > 0) {
    const owner = table.imports[type.slice(0, dot)];
    return owner && addBuiltIn(schemas, owner, type.slice(dot + 1));
  }
  const name = builtInName(table.name, type);
  const found = Object.hasOwn(table.types, type) ? table.types[type] : undefined;
  if (found === undefined) {
    return addFixed(schemas, name);
  }
  if (!schemas.has(name)) {
    const schema: JsonObject = {};
    // Add it before its fields: types may be recursive.
    schemas.set(name, schema);
    Object.assign(schema, typeSchema(schemas, table, type, found));
  }
  return name;
}

/** Adds one of the few handwritten schemas; returns `undefined` for any other name. */
export function addFixed(schemas: Schemas, name: string): string | undefined {
  if (!Object.hasOwn(fixed, name)) {
    return undefined;
  }
  schemas.set(name, { ...fixed[name] });
  return name;
}

function typeSchema(
  schemas: Schemas,
  table: SchemaTable,
  type: string,
  { fields, mapType }: TypeSchema,
): JsonObject {
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    properties[name] = fieldSchema(schemas, table, `${type}.${name}`, field);
    if (field.required) {
      required.push(name);
    }
  }
  return {
    type: "object",
    ...(required.length > 0 ? { required } : {}),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(mapType === undefined ? {} : { "x-kubernetes-map-type": mapType }),
  };
}

function fieldSchema(
  schemas: Schemas,
  table: SchemaTable,
  path: string,
  field: FieldSchema,
): JsonObject {
  const value = holdsLists(path, field)
    ? { type: "array", items: { type: "string" } }
    : valueSchema(schemas, table, path, field);
  const extensions = {
    ...(field.listMapKeys === undefined ? {} : { "x-kubernetes-list-map-keys": field.listMapKeys }),
    ...(field.listType === undefined ? {} : { "x-kubernetes-list-type": field.listType }),
    ...(field.mapType === undefined ? {} : { "x-kubernetes-map-type": field.mapType }),
    ...(field.patchMergeKey === undefined
      ? {}
      : { "x-kubernetes-patch-merge-key": field.patchMergeKey }),
    ...(field.patchStrategy === undefined
      ? {}
      : { "x-kubernetes-patch-strategy": field.patchStrategy }),
    ...(field.default === undefined ? {} : { default: field.default }),
  };
  switch (field.container) {
    case "list":
      return { type: "array", items: value, ...extensions };
    case "map":
      return { type: "object", additionalProperties: value, ...extensions };
    default: {
      // A reference may not have siblings.
      const alone = value["$ref"] === undefined || Object.keys(extensions).length === 0;
      return alone ? { ...value, ...extensions } : { allOf: [value], ...extensions };
    }
  }
}

/** Returns true for maps of lists, which the schema tables can't express. */
function holdsLists(path: string, { container, type }: FieldSchema): boolean {
  return container === "map" && type === "string" && /\.(?:attestations|extra)$/.test(path);
}

function valueSchema(
  schemas: Schemas,
  table: SchemaTable,
  path: string,
  { type, format, enum: allowed }: FieldSchema,
): JsonObject {
  const known = wellKnown(path, type, format);
  if (known !== undefined) {
    addFixed(schemas, known);
    return refTo(known);
  }
  if (scalars.has(type)) {
    return {
      type,
      ...(format === undefined ? {} : { format }),
      ...(allowed === undefined ? {} : { enum: allowed }),
    };
  }
  const name = addBuiltIn(schemas, table, type);
  return name === undefined ? { type: "object" } : refTo(name);
}

function wellKnown(path: string, type: string, format: string | undefined): string | undefined {
  switch (format) {
    case "quantity":
      return otherNames.Quantity;
    case "int-or-string":
      return otherNames.IntOrString;
    case "date-time":
      return builtInName("meta/v1", "Time");
    case "micro-time":
      return builtInName("meta/v1", "MicroTime");
    default:
      return type === "any" ? (anyTypes[path] ?? otherNames.RawExtension) : undefined;
  }
}

/** Returns the schema of a kind's list. */
export function listSchema(itemName: string): JsonObject {
  return {
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: { type: "string" },
      items: { type: "array", items: refTo(itemName) },
      kind: { type: "string" },
      metadata: refTo(builtInName("meta/v1", "ListMeta")),
    },
  };
}
