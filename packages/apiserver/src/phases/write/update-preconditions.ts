import type { Write } from "../../context/write.js";
import { cause } from "../../errors/field-errors.js";
import { badRequest, conflict, failure, invalid } from "../../errors/status-errors.js";
import type { ObjectMetadata } from "../../objects/api-object.js";
import { objectKey } from "../../store/store.js";

/** Checks that the namespace in a body equals that of the URL. It is ignored for cluster-scoped objects. */
export function assertSameNamespace({ metadata }: Named, namespace: string): void {
  const given = metadata?.namespace ?? "";
  if (namespace !== "" && given !== "" && given !== namespace) {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
}

interface Named {
  readonly metadata?: ObjectMetadata;
}

/** Checks that the name in a body equals that of the URL. */
export function assertSameName({ metadata = {} }: Named, name: string): void {
  if ((metadata.name ?? "") === "") {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (metadata.name !== name) {
    throw badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
    );
  }
}

/**
 * Checks the resourceVersion of a body against the stored object.
 *
 * @returns false for a body without a resourceVersion; 0 counts as absent.
 * @throws {StatusError} 409 for another version, 500 for a text that is not a number.
 */
export function assertVersion(
  { resource, name }: Pick<Write["request"], "name" | "resource">,
  { resourceVersion = "" }: ObjectMetadata,
  before: ObjectMetadata,
): boolean {
  assertVersionForm(resourceVersion);
  const isNamed = resourceVersion !== "" && resourceVersion !== "0";
  if (isNamed && resourceVersion !== before.resourceVersion) {
    throw conflict(resource.group, resource.plural, name);
  }
  return isNamed;
}

function assertVersionForm(version: string): void {
  if (!/^\d*$/.test(version)) {
    throw failure(
      500,
      undefined,
      `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`,
    );
  }
}

/** Checks that UID and resourceVersion of a body match the stored object. */
export function assertPreconditions(
  { request, patch }: Write,
  given: ObjectMetadata,
  before: ObjectMetadata,
): void {
  const { resource, name, namespace } = request;
  assertVersionForm(given.resourceVersion ?? "");
  if (given.uid !== undefined && given.uid !== before.uid) {
    if (patch) {
      throw invalid(resource, name, [
        cause.invalid("metadata.uid", given.uid, "field is immutable"),
      ]);
    }
    const path = `/registry/${resource.plural}/${objectKey(namespace, name)}`;
    throw conflict(
      resource.group,
      resource.plural,
      name,
      `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${given.uid}, UID in object meta: ${before.uid}`,
    );
  }
  assertUpdateVersion({ request, patch }, given, before);
}

/**
 * Checks the resourceVersion of an update, without which some kinds cannot be updated.
 *
 * @throws {StatusError} as `assertVersion` does, and 422 for a missing resourceVersion.
 */
export function assertUpdateVersion(
  { request, patch }: Pick<Write, "patch" | "request">,
  given: ObjectMetadata,
  before: ObjectMetadata,
): void {
  const { resource, name } = request;
  const isNamed = assertVersion(request, given, before);
  if (!isNamed && !resource.rules.unconditionalUpdate && !patch) {
    // This error contains the resource name instead of the kind.
    const named = { group: resource.group, kind: resource.plural };
    throw invalid(named, name, [
      cause.invalid("metadata.resourceVersion", 0, "must be specified for an update"),
    ]);
  }
}
