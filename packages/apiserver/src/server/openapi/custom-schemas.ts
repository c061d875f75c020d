import { isJsonObject, type JsonObject, setOwn } from "../../objects/json-value.js";
import type { DefinedVersion } from "../../resources/definition.js";
import { builtInName, refTo } from "./schema-names.js";

/** Schema keywords whose values are maps of schemas by name, single schemas, and lists of schemas. */
const namedSchemas = new Set(["patternProperties", "properties"]);
const singleSchemas = new Set(["additionalProperties", "items", "not"]);
const schemaLists = new Set(["allOf", "anyOf", "oneOf"]);

const metadata = refTo(builtInName("meta/v1", "ObjectMeta"));
const typeFields: JsonObject = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata,
};

/** Returns the schema of a custom kind, including the fields of all objects. */
export function customSchema(version: DefinedVersion): JsonObject {
  const published = publish(version.schema.source);
  return {
    ...published,
    ...selectable(version),
    type: "object",
    // These are present whether or not the definition declares them.
    properties: { ...typeFields, ...omitKnown(published["properties"]) },
  };
}

/** Returns the selectable fields as an extension for the schemas of a kind and its list. */
export function selectable({ selectableFields }: DefinedVersion): JsonObject {
  return selectableFields.length === 0
    ? {}
    : {
        "x-kubernetes-selectable-fields": selectableFields.map((fieldPath) => ({ fieldPath })),
      };
}

/** Schema of a kind that is served without a definition. */
export const openSchema: JsonObject = {
  type: "object",
  properties: typeFields,
  "x-kubernetes-preserve-unknown-fields": true,
};

function omitKnown(properties: unknown): JsonObject {
  const own: JsonObject = {};
  for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (!Object.hasOwn(typeFields, name)) {
      setOwn(own, name, schema);
    }
  }
  return own;
}

/** Converts a schema to OpenAPI v3: spells out int-or-string and the fields of embedded resources. */
function publish(schema: JsonObject): JsonObject {
  const published: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    setOwn(published, key, publishPart(key, value));
  }
  if (schema["x-kubernetes-int-or-string"] === true && schema["anyOf"] === undefined) {
    published["anyOf"] = [{ type: "integer" }, { type: "string" }];
  }
  if (schema["x-kubernetes-embedded-resource"] === true) {
    const required = Array.isArray(schema["required"]) ? schema["required"] : [];
    published["required"] = [...new Set([...required, "kind", "apiVersion"])];
    published["properties"] = { ...typeFields, ...omitKnown(published["properties"]) };
  }
  return published;
}

function publishPart(key: string, value: unknown): unknown {
  if (namedSchemas.has(key) && isJsonObject(value)) {
    const schemas: JsonObject = {};
    for (const [name, schema] of Object.entries(value)) {
      setOwn(schemas, name, isJsonObject(schema) ? publish(schema) : schema);
    }
    return schemas;
  }
  if (singleSchemas.has(key) && isJsonObject(value)) {
    return publish(value);
  }
  if (schemaLists.has(key) && Array.isArray(value)) {
    return value.map((one) => (isJsonObject(one) ? publish(one) : one));
  }
  return value;
}
