import type { StatusCause } from "@typekube/core";
import { cause } from "../response/status-errors.js";
import type { SchemaNode } from "../schema/schema-node.js";
import { propertySchema, type StructuralSchema } from "../schema/structural-schema.js";
import { isJsonObject, type JsonObject, setOwn } from "../store/json-value.js";

/** An object whose embedded resources carry proper metadata. */
export interface WithEmbeddedMetadata {
  readonly object: JsonObject;
  readonly unknownFields: readonly string[];
}

/**
 * Takes away the fields of the metadata of embedded resources that no metadata has.
 *
 * @param metadata - the metadata of any object.
 */
export function coerceEmbedded(
  object: JsonObject,
  schema: StructuralSchema,
  metadata: SchemaNode,
): WithEmbeddedMetadata {
  const unknownFields: string[] = [];
  const visit = (value: unknown, at: StructuralSchema | undefined, path: string): unknown => {
    if (at === undefined) {
      return value;
    }
    if (Array.isArray(value)) {
      return value.map((item, index) => visit(item, at.items, `${path}[${index}]`));
    }
    if (!isJsonObject(value)) {
      return value;
    }
    const kept: JsonObject = {};
    for (const key of Object.keys(value)) {
      const place = path === "" ? key : `${path}.${key}`;
      const isMetadata = at.embeddedResource && key === "metadata" && isJsonObject(value[key]);
      setOwn(
        kept,
        key,
        isMetadata
          ? knownMetadata(value[key] as JsonObject, place)
          : visit(value[key], propertySchema(at, key), place),
      );
    }
    return kept;
  };
  const knownMetadata = (value: JsonObject, path: string): JsonObject => {
    const kept: JsonObject = {};
    for (const key of Object.keys(value)) {
      if (metadata.form === "struct" && metadata.field(key) === undefined) {
        unknownFields.push(`${path}.${key}`);
      } else {
        setOwn(kept, key, value[key]);
      }
    }
    return kept;
  };
  return {
    object: visit(object, { ...schema, embeddedResource: false }, "") as JsonObject,
    unknownFields,
  };
}

/** What embedded resources lack or have wrong of their kind and version. */
export function embeddedCauses(
  value: unknown,
  schema: StructuralSchema | undefined,
  path = "",
): StatusCause[] {
  if (schema === undefined) {
    return [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => embeddedCauses(item, schema.items, `${path}[${at}]`));
  }
  if (!isJsonObject(value)) {
    return [];
  }
  const below = (key: string) => (path === "" ? key : `${path}.${key}`);
  const own = schema.embeddedResource
    ? ["apiVersion", "kind"].flatMap((key) => typeMetaCauses(value, key, below(key)))
    : [];
  const inner = Object.keys(value).flatMap((key) => {
    const place = schema.properties.has(key) ? below(key) : `${path}[${key}]`;
    return embeddedCauses(value[key], propertySchema(schema, key), place);
  });
  return [...own, ...inner];
}

function typeMetaCauses(value: JsonObject, key: string, field: string): StatusCause[] {
  const given = Object.hasOwn(value, key) ? value[key] : undefined;
  if (given === undefined) {
    return [cause.required(field)];
  }
  if (typeof given !== "string") {
    return [cause.invalid(field, given, "must be a string")];
  }
  return given === "" ? [cause.invalid(field, given, "must not be empty")] : [];
}
