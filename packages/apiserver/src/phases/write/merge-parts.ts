import type { ApiObject, ObjectMetadata } from "../../objects/api-object.js";
import { type JsonObject, jsonEqual, omitKeys } from "../../objects/json-value.js";
import type { ServedResource } from "../../resources/served-resource.js";

/** Combines the fields that a write through this subresource may change with the old values of all others. */
export function mergeParts(
  resource: ServedResource,
  given: ApiObject,
  before: ApiObject,
  subresource: string,
): ApiObject {
  const fixed: ObjectMetadata = {};
  for (const key of [
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
    "resourceVersion",
  ]) {
    if (before.metadata[key] !== undefined) {
      fixed[key] = before.metadata[key];
    }
  }
  const dropped = ["deletionGracePeriodSeconds", "deletionTimestamp", "generation", "selfLink"];
  const metadata: ObjectMetadata = { ...omitKeys(given.metadata, ...dropped), ...fixed };
  if (subresource === "status") {
    const { status } = given;
    const kept = resource.strategy.mergeStatus?.(status, before) ?? status;
    return {
      ...before,
      metadata: statusMetadataOf(resource, metadata, before.metadata),
      status: kept,
    };
  }
  const spec = resource.strategy.mergeSpec?.(subresource, given, before);
  if (spec !== undefined) {
    return {
      ...before,
      metadata: { ...before.metadata, ...only(metadata, "managedFields") },
      spec,
    };
  }
  const replaced = { ...given, metadata };
  return (subresource === "" || subresource === "finalize") && resource.hasStatus
    ? { ...(omitKeys(replaced, "status") as ApiObject), ...only(before, "status") }
    : replaced;
}

/** Returns the metadata after a write through `status`, which may change all, some or none of it. */
function statusMetadataOf(
  { rules }: ServedResource,
  given: ObjectMetadata,
  before: ObjectMetadata,
): ObjectMetadata {
  switch (rules.statusMetadata) {
    case "all":
      return given;
    case "none":
      return { ...before, ...only(given, "managedFields") };
    case "withoutLabels":
      return { ...omitKeys(given, "labels"), ...only(before, "labels") };
    case "withoutOwners":
      return { ...omitKeys(given, "ownerReferences"), ...only(before, "ownerReferences") };
    default:
      return rules.statusMetadata satisfies never;
  }
}

function only(object: JsonObject, key: string): JsonObject {
  return object[key] === undefined ? {} : { [key]: object[key] };
}

/** Increases the generation if the desired state changed. */
export function withGeneration(
  { rules, hasStatus }: ServedResource,
  object: ApiObject,
  before: ApiObject,
): ApiObject {
  if (!rules.generation) {
    return object;
  }
  // Without the status subresource, the status of a custom resource is an ordinary field.
  const status = rules.custom && !hasStatus ? [] : ["status"];
  const desired = (of: ApiObject) => omitKeys(of, "metadata", "apiVersion", "kind", ...status);
  const changed =
    !jsonEqual(desired(object), desired(before)) ||
    (rules.generationOnAnnotations &&
      !jsonEqual(object.metadata.annotations ?? {}, before.metadata.annotations ?? {}));
  const generation = (before.metadata.generation ?? 0) + (changed ? 1 : 0);
  return { ...object, metadata: { ...object.metadata, generation } };
}
