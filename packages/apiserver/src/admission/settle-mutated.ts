import type { Write } from "../context/write.js";
import { cause, type FieldErrors } from "../errors/field-errors.js";
import { invalid } from "../errors/status-errors.js";
import { type ApiObject, normalized, type ObjectMetadata } from "../objects/api-object.js";
import { validateDeletionFields } from "../phases/validate/metadata.js";
import { chooseName } from "../phases/write/choose-name.js";
import { withoutStatus } from "../phases/write/create-object.js";
import { mergeParts } from "../phases/write/merge-parts.js";
import { assertSameNamespace, assertUpdateVersion } from "../phases/write/update-preconditions.js";

/**
 * Restores the parts of an object that this write can't set, after webhooks or policies have changed it.
 *
 * @throws {StatusError} 400, 409 or 422 for metadata that no mutation may change.
 */
export function settleMutated(
  write: Write,
  mutated: ApiObject,
  object: ApiObject,
  old: ApiObject | undefined,
): ApiObject {
  return old === undefined ? settleNew(write, mutated, object) : settleOld(write, mutated, old);
}

function settleNew(write: Write, mutated: ApiObject, { metadata }: ApiObject): ApiObject {
  const { resource, namespace } = write.request;
  const { uid, creationTimestamp, generation } = metadata;
  assertSameNamespace(mutated, namespace);
  const { selfLink: _, ...given } = mutated.metadata;
  const whole = normalized({
    ...withoutStatus(mutated, resource),
    metadata: {
      ...given,
      name: newName(write, given, metadata),
      namespace: metadata.namespace,
      uid,
      creationTimestamp,
      ...(resource.rules.generation ? { generation } : {}),
    },
  });
  return write.form === undefined ? whole : normalized(write.form.of(whole));
}

/** Returns the name of a new object. Webhooks and policies may set it, also one that would be generated. */
function newName(write: Write, mutated: ObjectMetadata, before: ObjectMetadata): string {
  const isGenerated = write.isNameGenerated && mutated.generateName === before.generateName;
  return (mutated.name ?? "") === "" && isGenerated
    ? (before.name ?? "")
    : chooseName(write, mutated);
}

function settleOld(write: Write, mutated: ApiObject, old: ApiObject): ApiObject {
  const { resource, subresource, namespace } = write.request;
  // Only a patch of the client may leave out the resourceVersion of any kind.
  const patch = write.patch && (write.sent?.metadata.resourceVersion ?? "") === "";
  assertUpdateVersion({ request: write.request, patch }, mutated.metadata, old.metadata);
  assertSameNamespace(mutated, namespace);
  const errors = identityErrors(mutated.metadata, old.metadata);
  if (errors.length > 0) {
    throw invalid(resource.storedKind, mutated.metadata.name ?? "", errors);
  }
  const metadata = { ...mutated.metadata, namespace: old.metadata.namespace };
  return mergeParts(resource, normalized({ ...mutated, metadata }), old, subresource);
}

/** Returns the errors of metadata that identify an object; an absent uid is that of the old object. */
function identityErrors(mutated: ObjectMetadata, old: ObjectMetadata): FieldErrors {
  const { name = "", uid = "" } = mutated;
  const errors: FieldErrors = [];
  if (name === "") {
    errors.push(cause.required("metadata.name", "name or generateName is required"));
  }
  if (name !== old.name) {
    errors.push(cause.invalid("metadata.name", name, "field is immutable"));
  }
  if (uid !== "" && uid !== old.uid) {
    errors.push(cause.invalid("metadata.uid", uid, "field is immutable"));
  }
  validateDeletionFields(mutated, old, errors);
  return errors;
}
