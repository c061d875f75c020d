import { admitCustom } from "../custom-resources/admit-custom.js";
import type { DefinedVersion } from "../custom-resources/definition.js";
import { type FieldMistake, inDocumentOrder } from "../request/duplicate-fields.js";
import type { WriteOptions } from "../request/write-options.js";
import { yamlProblems } from "../request/yaml.js";
import { badRequest, type StatusError } from "../response/status-errors.js";
import { conform } from "../schema/conform.js";
import type { SchemaNode } from "../schema/schema-node.js";
import type { JsonObject } from "../store/json-value.js";

/** How the text of an object came to the server. */
export interface Provenance {
  /** Paths of the keys that stood in it more than once. */
  readonly duplicateFields?: readonly string[] | undefined;
  /** What is said of such keys in YAML. */
  readonly yamlDuplicates?: readonly string[] | undefined;
  /** Gives the text as JSON: what is wrong in it is told in its order. */
  readonly json?: (() => string) | undefined;
  /** Makes the error for an object that cannot be read. The default is 400 in the words of a create. */
  readonly refuse?: ((why: string) => StatusError) | undefined;
}

/** By what the fields of an object are read, and who is told of mistakes. */
export interface FieldReading {
  readonly schema: SchemaNode;
  readonly options: Pick<WriteOptions, "fieldValidation">;
  /** Texts for `Warning` headers. */
  readonly warnings: string[];
  /** Whether the object is what came out of a patch. */
  readonly patch: boolean;
}

/** How many mistakes of one text are told; real servers stop there. */
const maxReported = 100;

/**
 * Reads the fields of an object, which says its kind: a wrong type is refused, and what nobody knows or stood there twice is told as
 * was asked for.
 *
 * @param defined - the definition of a custom resource.
 * @throws {StatusError} 400 in the words of real servers.
 */
export function readFields(
  object: JsonObject,
  { schema, options, warnings, patch }: FieldReading,
  defined: DefinedVersion | undefined,
  { duplicateFields = [], yamlDuplicates = [], json, refuse = refuseAs(object) }: Provenance,
): JsonObject {
  const read =
    defined === undefined
      ? conform(object, schema, refuse)
      : admitCustom(object, defined, schema, refuse);
  const { unknownFields } = read;
  // What stands in an unknown field is not looked at, where a Go type reads the text.
  const known =
    defined === undefined
      ? duplicateFields.filter(
          (field) => !unknownFields.some((one) => field === one || /^[.[]/.test(after(field, one))),
        )
      : duplicateFields;
  const duplicates = known.map((field) => ({ field, problem: "duplicate" as const }));
  const unknown = unknownFields.map((field) => ({ field, problem: "unknown" as const }));
  const inOrder = (found: readonly FieldMistake[]) =>
    defined === undefined && json !== undefined && found.length > 1
      ? inDocumentOrder(json(), found).slice(0, maxReported)
      : found;
  // What stands in a patch twice is found in its text, what nobody knows in the outcome.
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

/** The refusal of a body that cannot be read as an object of its kind. */
function refuseAs({ apiVersion, kind }: JsonObject): (why: string) => StatusError {
  const version = String(apiVersion).replace(/^.*\//, "");
  return (why) =>
    badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`);
}
