import { badRequest, type StatusError } from "../../errors/status-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { type FieldMistake, inDocumentOrder } from "../../request/duplicate-fields.js";
import type { WriteOptions } from "../../request/write-options.js";
import { yamlProblems } from "../../request/yaml.js";
import type { BodyDecoder } from "../../resources/kind-strategy.js";
import { conform } from "../../schema/conform.js";
import type { SchemaNode } from "../../schema/schema-node.js";

/** Findings from the text of an object. */
export interface Provenance {
  /** Paths of duplicate keys. */
  readonly duplicateFields?: readonly string[] | undefined;
  /** Messages about duplicate keys in YAML. */
  readonly yamlDuplicates?: readonly string[] | undefined;
  /** Returns the text as JSON; errors are reported in its order. */
  readonly json?: (() => string) | undefined;
  /** Creates the error for an unreadable object. Default: 400 with the message of a create. */
  readonly refuse?: ((why: string) => StatusError) | undefined;
}

/** Schema and options for reading fields. */
export interface FieldReading {
  readonly schema: SchemaNode;
  readonly options: Pick<WriteOptions, "fieldValidation">;
  /** Texts for `Warning` headers. */
  readonly warnings: string[];
  /** `true` when the object is the result of a patch. */
  readonly patch: boolean;
}

/** Maximum number of reported mistakes per text, as on real servers. */
const maxReported = 100;

/**
 * Reads the fields of an object: rejects wrong types, and handles unknown and duplicate fields according to
 * `fieldValidation`.
 *
 * @param decoder - reads a kind without a Go type.
 * @throws {StatusError} 400 with the messages of real servers.
 */
export function readFields(
  object: JsonObject,
  { schema, options, warnings, patch }: FieldReading,
  decoder: BodyDecoder | undefined,
  { duplicateFields = [], yamlDuplicates = [], json, refuse = refuseAs(object) }: Provenance,
): JsonObject {
  const read =
    decoder === undefined
      ? conform(object, schema, refuse)
      : decoder.readFields(object, schema, refuse);
  const { unknownFields } = read;
  // Go types ignore the content of unknown fields.
  const known =
    decoder === undefined
      ? duplicateFields.filter(
          (field) => !unknownFields.some((one) => field === one || /^[.[]/.test(after(field, one))),
        )
      : duplicateFields;
  const duplicates = known.map((field) => ({ field, problem: "duplicate" as const }));
  const unknown = unknownFields.map((field) => ({ field, problem: "unknown" as const }));
  const inOrder = (found: readonly FieldMistake[]) =>
    decoder === undefined && json !== undefined && found.length > 1
      ? inDocumentOrder(json(), found).slice(0, maxReported)
      : found;
  // Duplicate fields are found in the text of a patch, unknown ones in its result.
  const found = patch ? [...duplicates, ...inOrder(unknown)] : inOrder([...duplicates, ...unknown]);
  const mistakes = found.map(({ field, problem }) => `${problem} field ${JSON.stringify(field)}`);
  if (mistakes.length + yamlDuplicates.length > 0 && options.fieldValidation === "Strict") {
    const all = [...(yamlDuplicates.length > 0 ? [yamlProblems(yamlDuplicates)] : []), ...mistakes];
    throw refuse(`strict decoding error: ${all.join(", ")}`);
  }
  if (options.fieldValidation === "Warn") {
    warnings.push(...yamlDuplicates, ...mistakes);
  }
  return read.object;
}

function after(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : "";
}

/** Returns the error for a body that can't be decoded as its kind. */
function refuseAs({ apiVersion, kind }: JsonObject): (why: string) => StatusError {
  const version = String(apiVersion).replace(/^.*\//, "");
  return (why) =>
    badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`);
}
