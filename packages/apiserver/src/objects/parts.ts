import type { ApiObject } from "./api-object.js";
import { isJsonObject, type JsonObject } from "./json-value.js";

/** Returns a value if it is an object, otherwise an empty object. */
export function mapOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns the items of a list as objects; empty for anything else. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(mapOf) : [];
}

/** Returns the spec of an object; empty without one. */
export function specOf(object: JsonObject): JsonObject {
  return mapOf(object["spec"]);
}

/** Returns the object with some fields of its spec set. */
export function withSpec(object: ApiObject, fields: JsonObject): ApiObject {
  return { ...object, spec: { ...specOf(object), ...fields } };
}

/** Adds a finalizer unless the object has it. */
export function withFinalizer(object: ApiObject, finalizer: string): ApiObject {
  const { metadata } = object;
  const finalizers = metadata.finalizers ?? [];
  return finalizers.includes(finalizer)
    ? object
    : { ...object, metadata: { ...metadata, finalizers: [...finalizers, finalizer] } };
}
