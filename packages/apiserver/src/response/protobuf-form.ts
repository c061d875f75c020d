import { isJsonObject, type JsonObject, omitKeys } from "../store/json-value.js";

/**
 * What protobuf can say of an object or a list. It has no place for the apiVersion and kind of what stands inside of another
 * object: real servers leave out those of the claim templates of StatefulSets, which JSON shows.
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
