import { getOwn, isJsonObject, type JsonObject } from "@typekube/core/internal";
import type { KindSource } from "../source/kind-source.js";
import { literal } from "../text/source-text.js";

/** Facts about a kind that its descriptor has no place for. */
interface KindFacts {
  /** Fields that field selectors may name besides `metadata.name` and `metadata.namespace`. */
  readonly selectableFields: readonly string[];
  /** Keys by which an apply merges a list, by the path of the list. */
  readonly listMapKeys: Readonly<Record<string, readonly string[]>>;
  /** Paths of lists that an apply merges by value. */
  readonly sets: readonly string[];
  /** Paths of lists and objects that an apply replaces as a whole. */
  readonly atomic: readonly string[];
  readonly columns: KindSource["columns"];
  readonly scale: KindSource["scale"];
}

/**
 * Returns a constant with the facts of a kind as source text; empty for a kind without any. It is a constant of its own, so that
 * programs which do not use it do not contain it.
 */
export function factsText(source: KindSource, name: string, ofKind: string): string {
  const facts = factsOf(source);
  const entries = Object.entries(facts).filter(
    ([, value]) => value !== undefined && Object.keys(value).length > 0,
  );
  if (entries.length === 0) {
    return "";
  }
  const rows = entries.map(([key, value]) => `  ${key}: ${literal(value)},\n`);
  return `/** Selectable fields, merge keys, columns and paths of the scale subresource of {@link ${ofKind}}. */
export const ${name} = {
${rows.join("")}} as const;
`;
}

function factsOf(source: KindSource): KindFacts {
  const listMapKeys: Record<string, readonly string[]> = {};
  const sets: string[] = [];
  const atomic: string[] = [];
  for (const { path, schema } of schemasIn(source.schema, "", source.components ?? {}, [])) {
    const keys = schema["x-kubernetes-list-map-keys"];
    const listType = schema["x-kubernetes-list-type"];
    if (listType === "map" && Array.isArray(keys)) {
      listMapKeys[path] = keys.map(String);
    } else if (listType === "set") {
      sets.push(path);
    } else if (listType === "atomic" || schema["x-kubernetes-map-type"] === "atomic") {
      atomic.push(path);
    }
  }
  const { selectableFields, columns, scale } = source;
  return {
    selectableFields: selectableFields.map(withoutDot),
    listMapKeys,
    sets,
    atomic,
    columns,
    scale,
  };
}

function withoutDot(path: string): string {
  return path.replace(/^\./, "");
}

/** @param above - schemas around this one, which end the recursion of schemas that hold themselves. */
function* schemasIn(
  given: unknown,
  path: string,
  components: Readonly<Record<string, JsonObject>>,
  above: readonly unknown[],
): Generator<{ readonly path: string; readonly schema: JsonObject }> {
  const target = componentOf(given, components);
  if (!isJsonObject(given) || above.includes(target ?? given)) {
    return;
  }
  const inside = [...above, target ?? given];
  const schema = { ...target, ...given };
  yield { path, schema };
  const { properties, items, additionalProperties } = schema;
  for (const name of Object.keys(isJsonObject(properties) ? properties : {}).sort()) {
    const below = path === "" ? name : `${path}.${name}`;
    // The metadata of all kinds is the same.
    if (below !== "metadata") {
      yield* schemasIn((properties as JsonObject)[name], below, components, inside);
    }
  }
  yield* schemasIn(items, `${path}[*]`, components, inside);
  yield* schemasIn(additionalProperties, `${path}.*`, components, inside);
}

/** Returns the component that a schema refers to, directly or as the only part of `allOf`. */
function componentOf(
  given: unknown,
  components: Readonly<Record<string, JsonObject>>,
): JsonObject | undefined {
  const { $ref, allOf } = isJsonObject(given) ? given : ({} as JsonObject);
  const [only] = Array.isArray(allOf) && allOf.length === 1 ? allOf : [];
  const name = $ref ?? (isJsonObject(only) ? only["$ref"] : undefined);
  const target =
    typeof name === "string"
      ? getOwn(components as JsonObject, name.split("/").at(-1) ?? "")
      : undefined;
  return isJsonObject(target) ? target : undefined;
}
