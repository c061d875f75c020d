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

/** Parses a schema. Malformed keywords count as absent: validation of the definition reports them. */
export function readStructuralSchema(source: JsonObject): StructuralSchema {
  const { additionalProperties } = source;
  return {
    source,
    type: textOf(source["type"]),
    nullable: source["nullable"] === true,
    default: source["default"] ?? undefined,
    properties: new Map(
      Object.entries(isJsonObject(source["properties"]) ? source["properties"] : {}).map(
        ([name, property]) => [name, readStructuralSchema(objectOf(property))],
      ),
    ),
    additionalProperties: isJsonObject(additionalProperties)
      ? readStructuralSchema(additionalProperties)
      : typeof additionalProperties === "boolean"
        ? additionalProperties
        : undefined,
    items: optional(source["items"]),
    preserveUnknownFields: source["x-kubernetes-preserve-unknown-fields"] === true,
    embeddedResource: source["x-kubernetes-embedded-resource"] === true,
    intOrString: source["x-kubernetes-int-or-string"] === true,
    listType: source["x-kubernetes-list-type"] as StructuralSchema["listType"],
    listMapKeys: stringsOf(source["x-kubernetes-list-map-keys"]),
    mapType: source["x-kubernetes-map-type"] as StructuralSchema["mapType"],
    required: stringsOf(source["required"]),
    allOf: list(source["allOf"]),
    anyOf: list(source["anyOf"]),
    oneOf: list(source["oneOf"]),
    not: optional(source["not"]),
  };
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

/** Yields a schema and all schemas nested in it. */
export function* schemasIn(schema: StructuralSchema): Generator<StructuralSchema> {
  yield schema;
  const { additionalProperties, items, not } = schema;
  const children = [
    ...schema.properties.values(),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
    ...(items === undefined ? [] : [items]),
    ...schema.allOf,
    ...schema.anyOf,
    ...schema.oneOf,
    ...(not === undefined ? [] : [not]),
  ];
  for (const child of children) {
    yield* schemasIn(child);
  }
}

function optional(value: unknown): StructuralSchema | undefined {
  return isJsonObject(value) ? readStructuralSchema(value) : undefined;
}

function list(value: unknown): StructuralSchema[] {
  return Array.isArray(value) ? value.map((item) => readStructuralSchema(objectOf(item))) : [];
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
