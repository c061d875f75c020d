import { mapEmbeddedMetadata, type StructuralSchema } from "@typekube/schema";
import { cause } from "../errors/field-errors.js";
import type { StatusError } from "../errors/status-errors.js";
import { isJsonObject, type JsonObject, setOwn } from "../objects/json-value.js";
import { canonicalStruct } from "../phases/default/fill-defaults.js";
import { sortedKeys } from "../request/request-body.js";
import { conform, jsonType } from "../schema/conform.js";
import type { SchemaNode } from "../schema/schema-node.js";

/** An object whose embedded resources have normalized metadata. */
export interface WithEmbeddedMetadata {
  readonly object: JsonObject;
  readonly unknownFields: readonly string[];
}

/**
 * Normalizes the metadata of embedded resources like that of any object: drops unknown fields, converts times to UTC,
 * and omits empty values. (kubernetes `schema/objectmeta.Coerce`)
 *
 * @param metadata - schema node of an object's metadata.
 * @param refuse - creates the error for invalid metadata from Go's message.
 */
export function coerceEmbedded(
  object: JsonObject,
  schema: StructuralSchema,
  metadata: SchemaNode,
  refuse: (why: string) => StatusError,
): WithEmbeddedMetadata {
  const unknownFields: string[] = [];
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
    object: mapEmbeddedMetadata(object, schema, readMetadata),
    unknownFields,
  };
}

/** Omits values that Go does not write: empty ones, unless the field is a pointer. */
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

/** Omits the empty values of a managedFields entry. */
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
