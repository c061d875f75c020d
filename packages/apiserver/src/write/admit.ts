import { admitCustom, assertOfVersion } from "../custom-resources/admit-custom.js";
import { assertKind } from "../request/assert-kind.js";
import { type FieldMistake, inDocumentOrder } from "../request/duplicate-fields.js";
import { yamlProblems } from "../request/yaml.js";
import { badRequest, type StatusError } from "../response/status-errors.js";
import { conform } from "../schema/conform.js";
import {
  getPath,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  omitKeys,
} from "../store/json-value.js";
import type { ApiObject, ObjectMetadata } from "../store/stored-object.js";
import { assertSameNamespace } from "./update-preconditions.js";
import type { Write } from "./write.js";

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

/** How many mistakes of one text are told; real servers stop there. */
const maxTold = 100;

/** Checks the kind, the namespace and the fields of what a client sent. */
export function admit(
  write: Write,
  body: JsonObject,
  { duplicateFields = [], yamlDuplicates = [], json, refuse = refuseBody(write) }: Provenance = {},
): ApiObject {
  const { request, schema, options, warnings } = write;
  const { resource, namespace } = request;
  const { apiVersion, kind } = resource.descriptor;
  const { defined } = resource;
  if (defined !== undefined) {
    assertOfVersion(body, resource, write.patch, json);
  }
  assertKind(body, { apiVersion, kind }, write.server.registry);
  const whole = { ...body, apiVersion, kind };
  const { object, unknownFields } =
    defined === undefined
      ? conform(whole, schema, refuse)
      : admitCustom(whole, defined, schema, refuse);
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
      ? inDocumentOrder(json(), found).slice(0, maxTold)
      : found;
  // What stands in a patch twice is found in its text, what nobody knows in the outcome.
  const found = write.patch
    ? [...duplicates, ...inOrder(unknown)]
    : inOrder([...duplicates, ...unknown]);
  const mistakes = found.map(({ field, problem }) => `${problem} field ${JSON.stringify(field)}`);
  if (mistakes.length + yamlDuplicates.length > 0 && options.fieldValidation === "Strict") {
    const all = [...(yamlDuplicates.length > 0 ? [yamlProblems(yamlDuplicates)] : []), ...mistakes];
    throw refuse(`strict decoding error: ${all.join(", ")}`);
  }
  if (options.fieldValidation === "Warn") {
    warnings.push(...yamlDuplicates, ...mistakes);
  }
  const metadata = withoutDoubleOwners(
    isJsonObject(object["metadata"]) ? object["metadata"] : {},
    write,
  );
  assertSameNamespace({ metadata }, namespace);
  return {
    kind,
    apiVersion,
    ...object,
    metadata:
      namespace === "" ? omitKeys(metadata as JsonObject, "namespace") : { ...metadata, namespace },
  };
}

/** An owner that is named twice in the same words is one; whoever sends that is told. */
function withoutDoubleOwners(
  metadata: ObjectMetadata,
  { warnings, patch }: Pick<Write, "patch" | "warnings">,
): ObjectMetadata {
  const { ownerReferences } = metadata;
  if (!Array.isArray(ownerReferences) || ownerReferences.length < 2) {
    return metadata;
  }
  const isFirst = (owner: unknown, at: number) =>
    ownerReferences.findIndex((one) => jsonEqual(one, owner)) === at;
  const kept = ownerReferences.filter(isFirst);
  if (kept.length === ownerReferences.length) {
    return metadata;
  }
  const doubles = ownerReferences.filter((owner, at) => !isFirst(owner, at));
  const uids = [...new Set(doubles.map((owner) => String(getPath(owner, "uid"))))].join(", ");
  const when = patch ? " after mutating admission happens" : "";
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  );
  return { ...metadata, ownerReferences: kept };
}

function after(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : "";
}

/** The refusal of a body that cannot be read as an object of the resource. */
export function refuseBody({ request }: Pick<Write, "request">): (why: string) => StatusError {
  const { kind, version } = request.resource;
  return (why) =>
    badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`);
}
