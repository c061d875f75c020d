import type { ResourceDescriptor } from "@typekube/api";
import { getOwn, isJsonObject, type JsonObject } from "@typekube/core/internal";
import type { KindSource } from "./kind-source.js";

/**
 * Returns a kind with its schema in an OpenAPI v3 document, and the components that the schema refers to; `undefined` if
 * the document lacks the kind.
 */
export function kindOfDocument(
  resource: ResourceDescriptor,
  document: JsonObject,
  origin: string,
): KindSource | undefined {
  const components = schemasOf(document);
  const schema = Object.values(components).find((one) => isOfKind(one, resource));
  if (schema === undefined) {
    return undefined;
  }
  const { group, version, kind, listKind, plural, singular, scope, verbs, subresources } = resource;
  return {
    group,
    version,
    kind,
    listKind: listKind ?? `${kind}List`,
    plural,
    singular,
    shortNames: resource.shortNames,
    categories: resource.categories,
    scope,
    verbs,
    subresources,
    schema,
    components: reachable(schema, components),
    selectableFields: [],
    columns: [],
    served: true,
    origin,
  };
}

function schemasOf(document: JsonObject): Readonly<Record<string, JsonObject>> {
  const { schemas } = (document["components"] ?? {}) as { readonly schemas?: unknown };
  return isJsonObject(schemas) ? (schemas as Readonly<Record<string, JsonObject>>) : {};
}

function isOfKind(schema: JsonObject, { group, version, kind }: ResourceDescriptor): boolean {
  const kinds = schema["x-kubernetes-group-version-kind"];
  return (
    Array.isArray(kinds) &&
    kinds.some(
      (one: unknown) =>
        isJsonObject(one) &&
        one["group"] === group &&
        one["version"] === version &&
        one["kind"] === kind,
    )
  );
}

/** Returns the components that a schema needs, in the order of their names. */
function reachable(
  schema: JsonObject,
  components: Readonly<Record<string, JsonObject>>,
): Readonly<Record<string, JsonObject>> {
  const found = new Set<string>();
  const queue: unknown[] = [schema];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (typeof next !== "object" || next === null) {
      continue;
    }
    const { $ref } = next as { readonly $ref?: unknown };
    const name = typeof $ref === "string" ? $ref.split("/").at(-1) : undefined;
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      queue.push(getOwn(components as JsonObject, name));
    }
    queue.push(...Object.values(next).filter((value) => typeof value === "object"));
  }
  return Object.fromEntries(
    [...found].sort().flatMap((name) => {
      const component = getOwn(components as JsonObject, name);
      return isJsonObject(component) ? [[name, component] as const] : [];
    }),
  );
}
