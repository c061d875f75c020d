import type { StatusCause } from "@typekube/core";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject, ObjectMetadata } from "../../objects/api-object.js";
import { type JsonObject, jsonEqual, omitKeys } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
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
    const kept = resource.storage === "pods" ? withQosClass(status, before) : status;
    return {
      ...before,
      metadata: statusMetadataOf(resource, metadata, before.metadata),
      status: kept,
    };
  }
  const part = resource.storage === "pods" ? podParts[subresource] : undefined;
  if (part !== undefined) {
    return {
      ...before,
      metadata: { ...before.metadata, ...only(metadata, "managedFields") },
      spec: part(specOf(given), specOf(before)),
    };
  }
  const replaced = { ...given, metadata };
  return (subresource === "" || subresource === "finalize") && resource.hasStatus
    ? { ...(omitKeys(replaced, "status") as ApiObject), ...only(before, "status") }
    : replaced;
}

/** Keeps the QoS class of a pod if a status write omits it. */
function withQosClass(status: unknown, before: ApiObject): JsonObject {
  const { qosClass } = mapOf(before["status"]);
  const given = mapOf(status);
  return qosClass !== undefined && (given["qosClass"] ?? "") === ""
    ? { ...given, qosClass }
    : given;
}

/** Parts of a pod spec that are written through their own subresource. */
const podParts: Readonly<Record<string, (given: JsonObject, before: JsonObject) => JsonObject>> = {
  ephemeralcontainers: (given, before) => ({ ...before, ...only(given, "ephemeralContainers") }),
  resize: (given, before) => ({
    ...before,
    ...resized("containers", given, before),
    ...resized("initContainers", given, before),
  }),
};

/** Sets the resources of containers; if their number differs, returns the given containers for validation to reject. */
function resized(list: string, given: JsonObject, before: JsonObject): JsonObject {
  const [now, then] = [objectsOf(given[list]), objectsOf(before[list])];
  if (now.length !== then.length) {
    return { [list]: now };
  }
  return now.length === 0
    ? {}
    : {
        [list]: then.map((container, at) => ({
          ...container,
          ...only(now[at] ?? {}, "resources"),
          ...only(now[at] ?? {}, "resizePolicy"),
        })),
      };
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

/** Returns errors for deletion fields that a client must not set. */
export function validateDeletionFields(
  given: ObjectMetadata,
  before: ObjectMetadata,
): StatusCause[] {
  return (["deletionTimestamp", "deletionGracePeriodSeconds"] as const)
    .filter((key) => given[key] !== undefined && given[key] !== before[key])
    .map((key) => cause.invalid(`metadata.${key}`, given[key], "field is immutable"));
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
