import type { ResourceDescriptor } from "@typekube/api";
import { stringifyJson } from "@typekube/core/internal";
import { dropNulls, pruneObject } from "@typekube/schema";
import { cause, type FieldErrors } from "../errors/field-errors.js";
import { badRequest, invalid, type StatusError } from "../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../objects/json-value.js";
import { mapOf } from "../objects/parts.js";
import type { DefinedVersion } from "../resources/definition.js";
import { conform } from "../schema/conform.js";
import type { SchemaNode } from "../schema/schema-node.js";
import { coerceEmbedded } from "./embedded-metadata.js";

/** A custom resource reduced to the fields in its schema. */
export interface AdmittedCustom {
  readonly object: JsonObject;
  readonly unknownFields: readonly string[];
}

/**
 * Decodes a custom resource: validates its metadata like that of any object, and prunes everything else by the schema.
 *
 * @param node - the schema node used for patches, which includes the metadata.
 * @param refuse - creates the error for invalid metadata from Go's message.
 */
export function admitCustom(
  body: JsonObject,
  version: DefinedVersion,
  node: SchemaNode,
  refuse: (why: string) => StatusError,
): AdmittedCustom {
  const { schema } = version;
  const metadataNode = (node.form === "struct" ? node.field("metadata")?.node : undefined) ?? node;
  const metadata = conform(
    isJsonObject(body["metadata"]) ? body["metadata"] : {},
    metadataNode,
    (why) => refuse(why),
  );
  const pruned = pruneObject({ ...body, metadata: metadata.object }, schema);
  const whole = dropNulls(pruned.object, schema);
  const embedded = coerceEmbedded(whole, schema, metadataNode, refuse);
  return {
    object: embedded.object,
    unknownFields: [
      ...metadata.unknownFields.map((field) => `metadata.${field}`),
      ...pruned.unknownFields,
      ...embedded.unknownFields,
    ],
  };
}

/** Maximum length of the excerpt in the message about unrecognizable text. */
const maxExcerpt = 30;

/**
 * Checks that a body has the kind and apiVersion of the request, which are not defaulted for custom resources as they
 * are for built-in kinds. For a patch, a mismatch is reported as a field error of the object.
 *
 * @param json - returns the body as received.
 */
export function assertOfVersion(
  body: JsonObject,
  { apiVersion, group, kind }: ResourceDescriptor,
  isPatch: boolean,
  json: () => string = () => stringifyJson(body),
): void {
  const given = String(body["apiVersion"] ?? (isPatch ? apiVersion : ""));
  const givenKind = String(body["kind"] ?? (isPatch ? kind : ""));
  if (givenKind === "" && !isPatch) {
    const text = json();
    const excerpt = text.length > maxExcerpt ? `${text.slice(0, maxExcerpt)} ...` : text;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): Object 'Kind' is missing in '${text}' (${excerpt})`,
    );
  }
  if (given !== apiVersion && !isPatch) {
    throw badRequest(
      `the API version in the data (${given}) does not match the expected API version (${apiVersion})`,
    );
  }
  const errors: FieldErrors = [];
  if (givenKind !== kind) {
    errors.push(cause.invalid("kind", givenKind, `must be ${kind}`));
  }
  if (given !== apiVersion) {
    errors.push(cause.invalid("apiVersion", given, `must be ${apiVersion}`));
  }
  if (errors.length > 0) {
    const { name } = mapOf(body["metadata"]);
    throw invalid({ group, kind: givenKind }, String(name ?? ""), errors);
  }
}
