import { isJsonObject, type JsonObject, setOwn } from "@typekube/core/internal/json";
import type { StructuralSchema } from "../structural/structural-schema.js";

/** An object without unknown fields. */
export interface Pruned {
  readonly object: JsonObject;
  /** Paths of the removed fields, sorted: `spec.foo`, `spec.list[0].bar`. */
  readonly unknownFields: readonly string[];
}

const typeMeta: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Removes fields that are not in the schema. apiVersion, kind and metadata of the object and of embedded resources are
 * always kept.
 */
export function pruneObject(object: JsonObject, schema: StructuralSchema): Pruned {
  const unknownFields: string[] = [];
  const pruned = prune(object, { ...schema, embeddedResource: true }, "", unknownFields);
  return { object: pruned as JsonObject, unknownFields: unknownFields.sort() };
}

/** Prunes a value inside an object, such as a default. */
export function pruneValue(value: unknown, schema: StructuralSchema): unknown {
  return prune(value, schema, "", []);
}

function prune(
  value: unknown,
  schema: StructuralSchema | undefined,
  path: string,
  unknown: string[],
): unknown {
  if (Array.isArray(value)) {
    return value.map((item, at) => {
      const itemPath = `${path}[${at}]`;
      // A list that preserves unknown fields and declares no items is kept unchanged.
      return schema?.preserveUnknownFields && schema.items === undefined
        ? item
        : prune(item, inherited(schema), itemPath, unknown);
    });
  }
  return isJsonObject(value) ? pruneFields(value, schema, path, unknown) : value;
}

/** Returns the schema of items. Items of a list that preserves unknown fields preserve them too. */
function inherited(schema: StructuralSchema | undefined): StructuralSchema | undefined {
  const items = schema?.items;
  return items !== undefined && schema?.preserveUnknownFields
    ? { ...items, preserveUnknownFields: true }
    : items;
}

function pruneFields(
  value: JsonObject,
  schema: StructuralSchema | undefined,
  path: string,
  unknown: string[],
): JsonObject {
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    const fieldPath = path === "" ? key : `${path}.${key}`;
    const property = schema?.properties.get(key);
    const additional = schema?.additionalProperties;
    if (schema?.embeddedResource && typeMeta.has(key)) {
      setOwn(kept, key, value[key]);
    } else if (property !== undefined) {
      setOwn(kept, key, prune(value[key], property, fieldPath, unknown));
    } else if (additional !== undefined) {
      const free = typeof additional === "object" ? additional : undefined;
      setOwn(kept, key, prune(value[key], free, fieldPath, unknown));
    } else if (schema?.preserveUnknownFields) {
      setOwn(kept, key, value[key]);
    } else {
      unknown.push(fieldPath);
    }
  }
  return kept;
}
