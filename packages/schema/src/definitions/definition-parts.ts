import { getPath, isJsonObject, type JsonObject } from "@typekube/core/internal/json";

/** Returns the versions in the spec of a definition. */
export function versionsOf(definition: JsonObject): JsonObject[] {
  return listOf(getPath(definition, "spec", "versions"));
}

/** Returns the objects in a list. */
export function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns a value if it is an object, otherwise an empty object. */
export function mapOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
