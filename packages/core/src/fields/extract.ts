import type { SchemaTable } from "@typekube/api/schema";
import { KubeError } from "../errors/kube-error.js";
import type { KubeObject } from "../objects/api-types.js";
import { isJsonObject, type JsonObject } from "../objects/json-value.js";
import { assertOptions, type OptionTable } from "../options/option-table.js";
import { typePlace } from "../patch/type-place.js";
import { extractFields } from "./extract-fields.js";
import { emptyFieldSet, readFieldsV1, unionFieldSets } from "./field-set.js";
import { appliedBy, managedFieldsOf } from "./managed-fields.js";

/** Options of {@link extractApplied}. */
export interface ExtractOptions {
  /** Extracts what was applied through this subresource, such as `status`. Default: without a subresource. */
  readonly subresource?: string | undefined;
}

const extractOptions: OptionTable<ExtractOptions> = { subresource: true };

/**
 * Returns what a manager applied, read from an object's managedFields: the identity of the object and the fields that
 * the manager owns, with their current values.
 *
 * @param table - schema of a built-in kind's group-version; without it, only the field sets show the structure.
 * @throws {KubeError} `InvalidArgument` for an object without managedFields, and for an object in another apiVersion
 * than the fields were applied in.
 */
export function extractApplied(
  object: KubeObject,
  fieldManager: string,
  table?: SchemaTable | undefined,
  options: ExtractOptions = {},
): KubeObject {
  assertOptions("extractApplied()", options, extractOptions);
  const { subresource } = options;
  const { apiVersion, kind } = object;
  const entries = managedFieldsOf(object);
  const entry = appliedBy(entries, fieldManager, subresource);
  if (entry !== undefined && apiVersion !== undefined && entry.apiVersion !== apiVersion) {
    throw new KubeError(
      "InvalidArgument",
      `"${fieldManager}" applied the ${kind} in ${entry.apiVersion}, but this object is in ${apiVersion}`,
      { hint: `read it in ${entry.apiVersion}` },
    );
  }
  const known = entries
    .map(({ fieldsV1 }) => readFieldsV1(fieldsV1))
    .reduce(unionFieldSets, emptyFieldSet);
  const part = extractFields(
    object as JsonObject,
    readFieldsV1(entry?.fieldsV1),
    known,
    table && typePlace(table, kind ?? ""),
  );
  const { name, namespace } = object.metadata ?? {};
  return {
    ...part,
    apiVersion,
    kind,
    metadata: {
      ...(isJsonObject(part["metadata"]) ? part["metadata"] : {}),
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
    },
  };
}
