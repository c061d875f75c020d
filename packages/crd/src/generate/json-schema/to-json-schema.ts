import { isJsonObject, type JsonObject, setOwn } from "@typekube/core/internal";
import { inOrder } from "../text/in-order.js";

/** Options of {@link toJsonSchema}. */
export interface JsonSchemaOptions {
  /** `true` to reject fields that the schema does not list: servers drop them. */
  readonly isClosed: boolean;
}

/** Keywords that JSON Schema has with the same meaning. */
const kept: ReadonlySet<string> = new Set(
  (
    "title description default enum format minLength maxLength pattern minItems maxItems uniqueItems minProperties " +
    "maxProperties multipleOf required"
  ).split(" "),
);

/** Converts the schema of a definition or of an OpenAPI document to JSON Schema draft 7. Keys are in order. */
export function toJsonSchema(schema: unknown, options: JsonSchemaOptions): JsonObject {
  const source = isJsonObject(schema) ? schema : {};
  const result: JsonObject = {};
  for (const key of Object.keys(source).sort()) {
    convertKeyword(key, source[key], result, options);
  }
  convertBound(source, "minimum", "exclusiveMinimum", result);
  convertBound(source, "maximum", "exclusiveMaximum", result);
  if (source["x-kubernetes-int-or-string"] === true || source["format"] === "int-or-string") {
    delete result["format"];
    delete result["anyOf"];
    result["type"] = ["integer", "string"];
  }
  if (options.isClosed && isClosed(source)) {
    result["additionalProperties"] = false;
  }
  return source["nullable"] === true ? nullable(result) : result;
}

function convertKeyword(
  key: string,
  value: unknown,
  result: JsonObject,
  options: JsonSchemaOptions,
): void {
  // Alternatives restrict fields that are listed outside of them.
  const inner = { isClosed: false };
  switch (key) {
    case "type":
      result[key] = value;
      break;
    case "$ref":
      result[key] = String(value).replace("#/components/schemas/", "#/definitions/");
      break;
    case "properties":
      result[key] = convertEach(value, options);
      break;
    case "items":
      result[key] = toJsonSchema(value, options);
      break;
    case "additionalProperties":
      result[key] = typeof value === "boolean" ? value : toJsonSchema(value, options);
      break;
    case "not":
      result[key] = toJsonSchema(value, inner);
      break;
    case "allOf":
    case "anyOf":
    case "oneOf":
      result[key] = Array.isArray(value) ? value.map((one) => toJsonSchema(one, inner)) : [];
      break;
    default:
      if (kept.has(key)) {
        result[key] = inOrder(value);
      }
  }
}

function convertEach(properties: unknown, options: JsonSchemaOptions): JsonObject {
  const result: JsonObject = {};
  for (const name of Object.keys(isJsonObject(properties) ? properties : {}).sort()) {
    setOwn(result, name, toJsonSchema((properties as JsonObject)[name], options));
  }
  return result;
}

/** Converts a bound: OpenAPI 3.0 marks an exclusive one by a boolean beside it. */
function convertBound(
  source: JsonObject,
  inclusive: string,
  exclusive: string,
  result: JsonObject,
): void {
  const value = source[inclusive];
  if (value !== undefined && value !== null) {
    result[source[exclusive] === true ? exclusive : inclusive] = value;
  }
}

/** Returns whether servers drop the fields of an object that its schema does not list. */
function isClosed(source: JsonObject): boolean {
  return (
    isJsonObject(source["properties"]) &&
    source["additionalProperties"] === undefined &&
    source["x-kubernetes-preserve-unknown-fields"] !== true &&
    source["x-kubernetes-embedded-resource"] !== true
  );
}

function nullable(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [...(Array.isArray(type) ? type : [type]), "null"] }),
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}
