import type { JsonObject } from "@typekube/core/internal";

export const integer: JsonObject = { type: "integer" };
export const text: JsonObject = { type: "string" };

/** Returns a schema with rules; a text is a rule without anything else. */
export function withRules(
  schema: JsonObject,
  ...rules: readonly (string | JsonObject)[]
): JsonObject {
  const entries = rules.map((rule) => (typeof rule === "string" ? { rule } : rule));
  return entries.length === 0 ? schema : { ...schema, "x-kubernetes-validations": entries };
}

/** Returns the schema of an object. */
export function objectOf(
  properties: JsonObject,
  ...rules: readonly (string | JsonObject)[]
): JsonObject {
  return withRules({ type: "object", properties }, ...rules);
}

/** Returns the schema of a resource whose `spec` has properties and rules. */
export function specOf(
  properties: JsonObject,
  ...rules: readonly (string | JsonObject)[]
): JsonObject {
  return objectOf({ spec: objectOf(properties, ...rules) });
}

export function listOf(items: JsonObject): JsonObject {
  return { type: "array", items };
}

export function setOf(items: JsonObject): JsonObject {
  return { type: "array", items, "x-kubernetes-list-type": "set" };
}

/** Returns the schema of a list of type `map`. */
export function mapListOf(keys: readonly string[], items: JsonObject): JsonObject {
  return {
    type: "array",
    items,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": [...keys],
  };
}

export function mapOf(values: JsonObject): JsonObject {
  return { type: "object", additionalProperties: values };
}
