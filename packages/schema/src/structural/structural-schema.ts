import { isJsonObject, type JsonObject, stringsOf } from "@typekube/core/internal/json";

/**
 * Schema of one place in a custom resource, parsed once from `openAPIV3Schema`. Keywords that define the shape have
 * fields here; those that only restrict values remain in `source`, which holds the complete schema for OpenAPI.
 */
export interface StructuralSchema {
  /** The schema as written in the definition. */
  readonly source: JsonObject;
  /** `""` when the schema has no type. */
  readonly type: string;
  readonly nullable: boolean;
  /** `undefined` without a default. */
  readonly default: unknown;
  readonly properties: ReadonlyMap<string, StructuralSchema>;
  /** Schema of additional keys; `true` when they may have any value, `undefined` when not specified. */
  readonly additionalProperties: StructuralSchema | boolean | undefined;
  readonly items: StructuralSchema | undefined;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listType: "atomic" | "map" | "set" | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: "atomic" | "granular" | undefined;
  readonly required: readonly string[];
  readonly allOf: readonly StructuralSchema[];
  readonly anyOf: readonly StructuralSchema[];
  readonly oneOf: readonly StructuralSchema[];
  readonly not: StructuralSchema | undefined;
}

/** Number of schemas that are remembered: those of a definition's versions, before and after a change. */
const maxRecent = 8;

/** The schemas parsed last, oldest first. Weak references would keep all schemas of a busy event loop's turn alive. */
const recent = new Map<JsonObject, StructuralSchema>();

/**
 * Parses a schema, which must not be changed afterwards: the checks of one write share what they parse. Malformed
 * keywords count as absent: validation of the definition reports them.
 */
export function readStructuralSchema(source: JsonObject): StructuralSchema {
  let schema = recent.get(source);
  if (schema === undefined) {
    schema = parseSchema(source);
    const [oldest] = recent.keys();
    if (recent.size >= maxRecent && oldest !== undefined) {
      recent.delete(oldest);
    }
    recent.set(source, schema);
  }
  return schema;
}

type Keywords = { -readonly [K in keyof StructuralSchema]: StructuralSchema[K] };

const none: readonly never[] = [];
const noProperties: ReadonlyMap<string, StructuralSchema> = new Map();

function parseSchema(source: JsonObject): StructuralSchema {
  const keywords: Keywords = {
    source,
    type: "",
    nullable: false,
    default: undefined,
    properties: noProperties,
    additionalProperties: undefined,
    items: undefined,
    preserveUnknownFields: false,
    embeddedResource: false,
    intOrString: false,
    listType: undefined,
    listMapKeys: none,
    mapType: undefined,
    required: none,
    allOf: none,
    anyOf: none,
    oneOf: none,
    not: undefined,
  };
  // Most schemas have two or three keywords: to look for each of the others would take most of the time.
  for (const key of Object.keys(source)) {
    readKeyword(key, source[key], keywords);
  }
  return keywords;
}

function readKeyword(key: string, value: unknown, keywords: Keywords): void {
  switch (key) {
    case "type":
      keywords.type = typeof value === "string" ? value : "";
      break;
    case "nullable":
      keywords.nullable = value === true;
      break;
    case "default":
      keywords.default = value ?? undefined;
      break;
    case "properties":
      keywords.properties = readProperties(value);
      break;
    case "additionalProperties":
      keywords.additionalProperties = typeof value === "boolean" ? value : optional(value);
      break;
    case "items":
    case "not":
      keywords[key] = optional(value);
      break;
    case "required":
      keywords.required = stringsOf(value);
      break;
    case "allOf":
    case "anyOf":
    case "oneOf":
      keywords[key] = list(value);
      break;
    default:
      if (key.startsWith("x-kubernetes-")) {
        readExtension(key, value, keywords);
      }
  }
}

function readExtension(key: string, value: unknown, keywords: Keywords): void {
  switch (key) {
    case "x-kubernetes-preserve-unknown-fields":
      keywords.preserveUnknownFields = value === true;
      break;
    case "x-kubernetes-embedded-resource":
      keywords.embeddedResource = value === true;
      break;
    case "x-kubernetes-int-or-string":
      keywords.intOrString = value === true;
      break;
    case "x-kubernetes-list-type":
      keywords.listType = value as StructuralSchema["listType"];
      break;
    case "x-kubernetes-list-map-keys":
      keywords.listMapKeys = stringsOf(value);
      break;
    case "x-kubernetes-map-type":
      keywords.mapType = value as StructuralSchema["mapType"];
      break;
    default:
  }
}

function readProperties(value: unknown): ReadonlyMap<string, StructuralSchema> {
  const properties = new Map<string, StructuralSchema>();
  if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      properties.set(name, parseSchema(objectOf(value[name])));
    }
  }
  return properties;
}

/** Returns the schema of a field: its own, or that of additional keys. */
export function propertySchema(
  schema: StructuralSchema,
  key: string,
): StructuralSchema | undefined {
  const { additionalProperties } = schema;
  return (
    schema.properties.get(key) ??
    (typeof additionalProperties === "object" ? additionalProperties : undefined)
  );
}

/** Returns a schema and all schemas nested in it, each before those inside of it. */
export function schemasIn(schema: StructuralSchema): StructuralSchema[] {
  const found: StructuralSchema[] = [];
  collectSchemas(schema, found);
  return found;
}

function collectSchemas(schema: StructuralSchema, found: StructuralSchema[]): void {
  found.push(schema);
  const { properties, additionalProperties, items, not } = schema;
  for (const property of properties.values()) {
    collectSchemas(property, found);
  }
  for (const child of [additionalProperties, items]) {
    if (typeof child === "object") {
      collectSchemas(child, found);
    }
  }
  for (const parts of [schema.allOf, schema.anyOf, schema.oneOf]) {
    for (const part of parts) {
      collectSchemas(part, found);
    }
  }
  if (not !== undefined) {
    collectSchemas(not, found);
  }
}

function optional(value: unknown): StructuralSchema | undefined {
  return isJsonObject(value) ? parseSchema(value) : undefined;
}

function list(value: unknown): readonly StructuralSchema[] {
  return Array.isArray(value) ? value.map((item) => parseSchema(objectOf(item))) : none;
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
