import { isJsonObject, type JsonObject, omitKeys } from "../objects/json-value.js";

/**
 * Returns an object or list as protobuf represents it. Protobuf has no fields for apiVersion and kind of nested
 * objects: real servers omit those of a StatefulSet's claim templates, which JSON includes.
 */
export function protobufForm<T extends object>(object: T): T {
  const { kind, items } = object as JsonObject;
  if (kind === "StatefulSet") {
    return withoutTemplateKinds(object as JsonObject) as T;
  }
  return kind === "StatefulSetList" && Array.isArray(items)
    ? {
        ...object,
        items: items.map((item) => (isJsonObject(item) ? withoutTemplateKinds(item) : item)),
      }
    : object;
}

function withoutTemplateKinds(set: JsonObject): JsonObject {
  const { spec } = set;
  const templates = isJsonObject(spec) ? spec["volumeClaimTemplates"] : undefined;
  if (!isJsonObject(spec) || !Array.isArray(templates)) {
    return set;
  }
  const volumeClaimTemplates = templates.map((template: unknown) =>
    isJsonObject(template) ? omitKeys(template, "apiVersion", "kind") : template,
  );
  return { ...set, spec: { ...spec, volumeClaimTemplates } };
}
