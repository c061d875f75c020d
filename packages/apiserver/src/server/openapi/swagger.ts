import { isJsonObject, type JsonObject, omitKeys, setOwn } from "../../objects/json-value.js";
import { nameOfRef, otherNames } from "./schema-names.js";

/** Schema keywords that version 2 does not support. */
const newWords = new Set(["anyOf", "nullable", "oneOf", "not"]);

/** Merges v3 documents into one OpenAPI v2 document. */
export function mergedSwagger(documents: readonly JsonObject[]): JsonObject {
  const paths: JsonObject = {};
  const definitions: JsonObject = {};
  for (const document of documents) {
    for (const [path, item] of Object.entries(objectOf(document["paths"]))) {
      paths[path] = pathItem(objectOf(item));
    }
    const { schemas } = objectOf(document["components"]);
    for (const [name, schema] of Object.entries(objectOf(schemas))) {
      const known = definitions[name];
      const own = definition(name, objectOf(schema));
      definitions[name] = isJsonObject(known) ? { ...own, ...kindsOfBoth(known, own) } : own;
    }
  }
  const [first] = documents;
  return {
    swagger: "2.0",
    info: objectOf(first?.["info"]),
    paths: sorted(paths),
    definitions: sorted(definitions),
    securityDefinitions: {
      BearerToken: { type: "apiKey", name: "authorization", in: "header" },
    },
    security: [{ BearerToken: [] }],
  };
}

const gvk = "x-kubernetes-group-version-kind";

/** Merges the kinds of a type that occurs in several documents. */
function kindsOfBoth(one: JsonObject, other: JsonObject): JsonObject {
  const kinds = [one[gvk], other[gvk]].flatMap((list) => (Array.isArray(list) ? list : []));
  const byText = new Map(kinds.map((kind) => [JSON.stringify(kind), kind]));
  return byText.size === 0 ? {} : { [gvk]: [...byText.values()] };
}

function definition(name: string, schema: JsonObject): JsonObject {
  switch (name) {
    case otherNames.IntOrString:
      return { type: "string", format: "int-or-string" };
    case otherNames.Quantity:
      return { type: "string" };
    default:
      return isAnyObject(schema) ? anyObject(schema) : schemaOf(schema);
  }
}

/** Returns true for a kind without described fields, such as one whose definition has no schema. */
function isAnyObject(schema: JsonObject): boolean {
  return schema["x-kubernetes-preserve-unknown-fields"] === true && schema[gvk] !== undefined;
}

/**
 * Returns the schema of a kind with arbitrary fields. It declares no properties, since kubectl would then reject all
 * others.
 */
function anyObject(schema: JsonObject): JsonObject {
  const kept = [gvk, "x-kubernetes-selectable-fields"].filter((key) => Object.hasOwn(schema, key));
  return { type: "object", ...Object.fromEntries(kept.map((key) => [key, schema[key]])) };
}

/** Converts a schema to version 2; constructs that version 2 can't express are left open. */
function schemaOf(schema: JsonObject): JsonObject {
  const { $ref, allOf } = schema;
  const [only] = Array.isArray(allOf) ? allOf : [];
  const ref = $ref ?? (Array.isArray(allOf) && allOf.length === 1 ? only?.["$ref"] : undefined);
  if (typeof ref === "string") {
    const { description } = schema;
    const extensions = Object.entries(schema).filter(([key]) => key.startsWith("x-"));
    return {
      ...(description === undefined ? {} : { description }),
      $ref: `#/definitions/${nameOfRef(ref)}`,
      ...Object.fromEntries(extensions),
    };
  }
  const unsaid = omittedKeywords(schema);
  const said: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!newWords.has(key) && key !== "allOf" && key !== "default" && !unsaid.has(key)) {
      setOwn(said, key, partOf(key, value));
    }
  }
  const required = requiredProperties(schema);
  return required.length === 0 ? omitKeys(said, "required") : { ...said, required };
}

/** Returns keywords to omit because kubectl would enforce them too strictly. (apiextensions `ToStructuralOpenAPIV2`) */
function omittedKeywords(schema: JsonObject): ReadonlySet<string> {
  const { type, items, nullable } = schema;
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const hidesParts = isOpen || nullable === true;
  const isBareArray = type === "array" && (hidesParts || items === undefined);
  const hidesType = nullable === true || (isOpen && type === "object") || isBareArray;
  return new Set([...(hidesParts ? ["items", "properties"] : []), ...(hidesType ? ["type"] : [])]);
}

/**
 * Returns the required properties without nullable ones, and without kind and apiVersion of embedded resources whose
 * properties are omitted.
 */
function requiredProperties(schema: JsonObject): unknown[] {
  const { additionalProperties, properties, required } = schema;
  if (!Array.isArray(required)) {
    return [];
  }
  if (omittedKeywords(schema).has("properties")) {
    const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
    return required.filter((name) => !isEmbedded || (name !== "kind" && name !== "apiVersion"));
  }
  const isNullable = (name: unknown) =>
    objectOf(objectOf(properties)[String(name)])["nullable"] === true;
  return objectOf(additionalProperties)["nullable"] === true
    ? []
    : required.filter((name) => !isNullable(name));
}

function partOf(key: string, value: unknown): unknown {
  if (key === "properties" && isJsonObject(value)) {
    const properties: JsonObject = {};
    for (const [name, schema] of Object.entries(value)) {
      setOwn(properties, name, schemaOf(objectOf(schema)));
    }
    return properties;
  }
  return (key === "items" || key === "additionalProperties") && isJsonObject(value)
    ? schemaOf(value)
    : value;
}

function pathItem(item: JsonObject): JsonObject {
  const converted: JsonObject = {};
  for (const [key, value] of Object.entries(item)) {
    converted[key] = key === "parameters" ? parametersOf(value) : operationOf(objectOf(value));
  }
  return converted;
}

function operationOf({
  tags,
  operationId,
  parameters = [],
  requestBody,
  responses,
  ...extensions
}: JsonObject): JsonObject {
  const { content, required } = objectOf(requestBody);
  const consumed = Object.keys(objectOf(content));
  const [body] = Object.values(objectOf(content));
  const bodies = isJsonObject(body)
    ? [{ in: "body", name: "body", ...(required ? { required } : {}), schema: bodySchema(body) }]
    : [];
  const swaggerResponses = Object.entries(objectOf(responses)).map(([code, response]) => {
    const { description, content: kinds } = objectOf(response);
    const [one] = Object.values(objectOf(kinds));
    return [code, { description, ...(isJsonObject(one) ? { schema: bodySchema(one) } : {}) }];
  });
  const ok = objectOf(objectOf(objectOf(responses)["200"])["content"]);
  return {
    consumes: consumed.length > 0 ? consumed : ["*/*"],
    produces: Object.keys(ok),
    schemes: ["https"],
    tags,
    operationId,
    parameters: [...bodies, ...parametersOf(parameters)],
    responses: Object.fromEntries(swaggerResponses),
    ...extensions,
  };
}

function bodySchema({ schema }: JsonObject): JsonObject {
  return schemaOf(objectOf(schema));
}

/** Converts parameters: in version 2 they contain the type directly. */
function parametersOf(parameters: unknown): JsonObject[] {
  return (Array.isArray(parameters) ? parameters : []).map(({ schema, ...parameter }) => ({
    ...objectOf(schema),
    ...parameter,
  }));
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
