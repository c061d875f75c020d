import { type Check, cause, type FieldErrors } from "@typekube/core/internal/field-errors";
import { getOwn, isJsonObject, type JsonObject, setOwn } from "@typekube/core/internal/json";
import { propertySchema, type StructuralSchema } from "../structural/structural-schema.js";

/**
 * Returns an object with new metadata in each embedded resource; that of the object itself stays.
 *
 * @param map - Returns the new metadata for the old one and its path.
 */
export function mapEmbeddedMetadata(
  object: JsonObject,
  schema: StructuralSchema,
  map: (metadata: unknown, path: string) => JsonObject,
): JsonObject {
  return mapFields(object, { ...schema, embeddedResource: false }, "", map);
}

type MapMetadata = Parameters<typeof mapEmbeddedMetadata>[2];

function mapValue(
  value: unknown,
  schema: StructuralSchema | undefined,
  path: string,
  map: MapMetadata,
): unknown {
  if (schema === undefined) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => mapValue(item, schema.items, `${path}[${index}]`, map));
  }
  return isJsonObject(value) ? mapFields(value, schema, path, map) : value;
}

function mapFields(
  object: JsonObject,
  schema: StructuralSchema,
  path: string,
  map: MapMetadata,
): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const place = path === "" ? key : `${path}.${key}`;
    const isMetadata = schema.embeddedResource && key === "metadata";
    const mapped = isMetadata
      ? map(value, place)
      : mapValue(value, propertySchema(schema, key), place, map);
    setOwn(kept, key, mapped);
  }
  return kept;
}

/**
 * Appends the field errors in kind, apiVersion and metadata of embedded resources.
 *
 * @param validateMetadata - Appends the errors of one metadata.
 */
export function validateEmbedded(
  value: unknown,
  schema: StructuralSchema | undefined,
  path: string,
  errors: FieldErrors,
  validateMetadata: Check<JsonObject>,
): void {
  if (schema === undefined) {
    return;
  }
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      validateEmbedded(item, schema.items, `${path}[${at}]`, errors, validateMetadata);
    }
  }
  if (!isJsonObject(value)) {
    return;
  }
  const below = (key: string) => (path === "" ? key : `${path}.${key}`);
  if (schema.embeddedResource) {
    validateTypeMeta(value, "apiVersion", below("apiVersion"), errors);
    validateTypeMeta(value, "kind", below("kind"), errors);
    if (isJsonObject(value["metadata"])) {
      validateMetadata(value["metadata"], below("metadata"), errors);
    }
  }
  for (const [key, inner] of Object.entries(value)) {
    if (!schema.embeddedResource || key !== "metadata") {
      const place = schema.properties.has(key) ? below(key) : `${path}[${key}]`;
      validateEmbedded(inner, propertySchema(schema, key), place, errors, validateMetadata);
    }
  }
}

function validateTypeMeta(value: JsonObject, key: string, path: string, errors: FieldErrors): void {
  const given = getOwn(value, key);
  if (given === undefined) {
    errors.push(cause.required(path));
  } else if (typeof given !== "string") {
    errors.push(cause.invalid(path, given, "must be a string"));
  } else if (given === "") {
    errors.push(cause.invalid(path, given, "must not be empty"));
  }
}
