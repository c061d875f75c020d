import type { StatusCause } from "@typekube/core";
import { canonicalStruct } from "../kinds/fill-defaults.js";
import { sortedKeys } from "../request/request-body.js";
import { cause, type StatusError } from "../response/status-errors.js";
import { conform, jsonType } from "../schema/conform.js";
import type { SchemaNode } from "../schema/schema-node.js";
import { propertySchema, type StructuralSchema } from "../schema/structural-schema.js";
import { isJsonObject, type JsonObject, setOwn } from "../store/json-value.js";
import { validateEmbeddedMetadata } from "../validation/metadata.js";

/** An object whose embedded resources carry proper metadata. */
export interface WithEmbeddedMetadata {
  readonly object: JsonObject;
  readonly unknownFields: readonly string[];
}

/**
 * Reads the metadata of embedded resources as that of any object: unknown fields go, times are stored in UTC, and what is
 * empty is absent. (kubernetes `schema/objectmeta.Coerce`)
 *
 * @param metadata - the metadata of any object.
 * @param refuse - makes the error for metadata that cannot be read, from the reason in Go's words.
 */
export function coerceEmbedded(
  object: JsonObject,
  schema: StructuralSchema,
  metadata: SchemaNode,
  refuse: (why: string) => StatusError,
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
      const isMetadata = at.embeddedResource && key === "metadata";
      setOwn(
        kept,
        key,
        isMetadata
          ? readMetadata(value[key], place)
          : visit(value[key], propertySchema(at, key), place),
      );
    }
    return kept;
  };
  const readMetadata = (value: unknown, path: string): JsonObject => {
    const refused = (why: string) =>
      refuse(`${path}: ${cause.invalid(path, sortedKeys(value), why).message ?? why}`);
    if (!isJsonObject(value ?? {})) {
      const found = jsonType(value);
      throw refused(`json: cannot unmarshal ${found} into Go value of type v1.ObjectMeta`);
    }
    const read = conform((value ?? {}) as JsonObject, metadata, refused);
    unknownFields.push(...read.unknownFields.map((field) => `${path}.${field}`));
    return withoutEmpty(canonicalStruct(read.object, metadata));
  };
  return {
    object: visit(object, { ...schema, embeddedResource: false }, "") as JsonObject,
    unknownFields,
  };
}

/** Leaves out what Go does not write: empty values, unless a pointer tells them from none. */
function withoutEmpty(metadata: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(metadata)) {
    const isPointer = key === "deletionGracePeriodSeconds";
    if (!isNone(value) && (isPointer || (value !== 0 && !isEmpty(value)))) {
      setOwn(kept, key, key === "managedFields" ? (value as JsonObject[]).map(entry) : value);
    }
  }
  return kept;
}

/** The same for an entry of the managed fields. */
function entry(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => !isNone(value) && value !== ""),
  );
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}

function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && Object.keys(value as object).length === 0);
}

/** Field errors of the kind, apiVersion and metadata of embedded resources. */
export function validateEmbedded(
  value: unknown,
  schema: StructuralSchema | undefined,
  path = "",
): StatusCause[] {
  if (schema === undefined) {
    return [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => validateEmbedded(item, schema.items, `${path}[${at}]`));
  }
  if (!isJsonObject(value)) {
    return [];
  }
  const below = (key: string) => (path === "" ? key : `${path}.${key}`);
  const own = schema.embeddedResource
    ? [
        ...["apiVersion", "kind"].flatMap((key) => validateTypeMeta(value, key, below(key))),
        ...(isJsonObject(value["metadata"])
          ? validateEmbeddedMetadata(value["metadata"], below("metadata"))
          : []),
      ]
    : [];
  const inner = Object.keys(value).flatMap((key) => {
    if (schema.embeddedResource && key === "metadata") {
      return [];
    }
    const place = schema.properties.has(key) ? below(key) : `${path}[${key}]`;
    return validateEmbedded(value[key], propertySchema(schema, key), place);
  });
  return [...own, ...inner];
}

function validateTypeMeta(value: JsonObject, key: string, field: string): StatusCause[] {
  const given = Object.hasOwn(value, key) ? value[key] : undefined;
  if (given === undefined) {
    return [cause.required(field)];
  }
  if (typeof given !== "string") {
    return [cause.invalid(field, given, "must be a string")];
  }
  return given === "" ? [cause.invalid(field, given, "must not be empty")] : [];
}
