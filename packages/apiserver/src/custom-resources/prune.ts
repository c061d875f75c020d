import type { StructuralSchema } from "../schema/structural-schema.js";
import { isJsonObject, type JsonObject, setOwn } from "../store/json-value.js";

/** An object without the fields that its schema does not know. */
export interface Pruned {
  readonly object: JsonObject;
  /** Where the fields stood that are gone, sorted: `spec.foo`, `spec.list[0].bar`. */
  readonly unknownFields: readonly string[];
}

const typeMeta: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Takes away what a schema does not know. The kind, the version and the metadata of the object itself, and of resources
 * embedded in it, always stay.
 */
export function pruneObject(object: JsonObject, schema: StructuralSchema): Pruned {
  const unknownFields: string[] = [];
  const pruned = prune(object, { ...schema, embeddedResource: true }, "", unknownFields);
  return { object: pruned as JsonObject, unknownFields: unknownFields.sort() };
}

/** The same for a value inside an object: what a default may hold. */
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
      // An open list keeps its items, whatever they are.
      return schema?.preserveUnknownFields && schema.items === undefined
        ? item
        : prune(item, inherited(schema), itemPath, unknown);
    });
  }
  return isJsonObject(value) ? pruneFields(value, schema, path, unknown) : value;
}

/** The schema of items; those of a list that is open are open too. */
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
