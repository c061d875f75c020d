import { isJsonObject, type JsonObject } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";

/** A value as an object; empty for anything else. */
export function mapOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects of a list; empty for anything else. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(mapOf) : [];
}

/** The spec of an object; empty where there is none. */
export function specOf(object: JsonObject): JsonObject {
  return mapOf(object["spec"]);
}

/** The object with some fields of its spec set. */
export function withSpec(object: ApiObject, fields: JsonObject): ApiObject {
  return { ...object, spec: { ...specOf(object), ...fields } };
}

/** The object with further finalizers, each once. */
export function withFinalizer(object: ApiObject, finalizer: string): ApiObject {
  const { metadata } = object;
  const finalizers = metadata.finalizers ?? [];
  return finalizers.includes(finalizer)
    ? object
    : { ...object, metadata: { ...metadata, finalizers: [...finalizers, finalizer] } };
}
