import { cloneJson, isJsonObject, type JsonObject, setOwn } from "@typekube/core/internal/json";
import { propertySchema, type StructuralSchema } from "../structural/structural-schema.js";

/** Fills in the schema's defaults for values that are missing, or null where null is not allowed. */
export function fillDefaults<T>(value: T, schema: StructuralSchema | undefined): T {
  if (schema === undefined) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => fillDefaults(replaced(item, schema.items), schema.items)) as T;
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const filled: JsonObject = {};
  for (const key of Object.keys(value)) {
    const property = propertySchema(schema, key);
    setOwn(filled, key, fillDefaults(replaced(value[key], property), property));
  }
  for (const [key, property] of schema.properties) {
    if (!Object.hasOwn(filled, key) && property.default !== undefined) {
      setOwn(filled, key, fillDefaults(cloneJson(property.default), property));
    }
  }
  return filled as T;
}

/** Removes nulls from fields that are neither nullable nor have a default. */
export function dropNulls<T>(value: T, schema: StructuralSchema | undefined): T {
  if (schema === undefined) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => dropNulls(item, schema.items)) as T;
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    const property = propertySchema(schema, key);
    if (!isStrayNull(value[key], property) || property?.default !== undefined) {
      setOwn(kept, key, dropNulls(value[key], property));
    }
  }
  return kept as T;
}

function replaced(value: unknown, schema: StructuralSchema | undefined): unknown {
  return isStrayNull(value, schema) && schema?.default !== undefined
    ? cloneJson(schema.default)
    : value;
}

function isStrayNull(value: unknown, schema: StructuralSchema | undefined): boolean {
  return value === null && schema !== undefined && !schema.nullable;
}
