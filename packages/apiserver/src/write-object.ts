import type { StatusCause } from "@typekube/core";
import { updateManagers } from "./apply/managed-fields.js";
import { immutableFieldCauses } from "./immutable-fields.js";
import { getPath, type JsonObject, jsonEqual, omitKeys, stringsOf } from "./json-value.js";
import { onCreate, onUpdate } from "./kind-hooks.js";
import { immutableCauses, mergeParts, withGeneration } from "./merge-parts.js";
import { afterRemoval, assertNamespaceOpen } from "./namespaces.js";
import { podSpecCauses } from "./pod-spec-changes.js";
import { nameSuffix, randomUid } from "./random.js";
import type { ServedResource } from "./served-resource.js";
import { timestamp } from "./server-context.js";
import { alreadyExists, cause, failure, invalid, notFound } from "./status-errors.js";
import { objectKey, withoutVersion } from "./store.js";
import { type ApiObject, normalized, type ObjectMetadata } from "./stored-object.js";
import { assertPreconditions, assertSameName } from "./update-preconditions.js";
import { kindCauses, metadataCauses, newFinalizerCauses } from "./validation.js";
import type { Write, Written } from "./write.js";

/** Stores a new object. */
export function createObject(write: Write, given: ApiObject): Written {
  const { server, request, options } = write;
  const { resource, namespace } = request;
  const { metadata } = given;
  if (!["", "0", undefined].includes(metadata.resourceVersion)) {
    throw failure(500, undefined, "resourceVersion should not be set on objects to be created");
  }
  const name = chooseName(write, metadata);
  if (namespace !== "") {
    assertNamespaceOpen(server, resource, namespace, name);
  }
  const dropped = [
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generation",
    "resourceVersion",
    "selfLink",
  ];
  const prepared = typed(
    write,
    onCreate(resource, {
      ...given,
      metadata: {
        ...omitKeys(metadata, ...dropped),
        name,
        uid: randomUid(server.random),
        creationTimestamp: timestamp(server.clock),
        ...(resource.rules.generation ? { generation: 1 } : {}),
      },
    }),
  );
  assertValid(resource, prepared, [
    ...metadataCauses(prepared, resource),
    ...kindCauses(resource, prepared),
  ]);
  const key = objectKey(namespace, name);
  if (server.store.collection(resource.storage).get(key) !== undefined) {
    throw alreadyExists(resource, name);
  }
  const object = manage(write, normalized(prepared), undefined);
  return {
    object: options.dryRun ? object : server.store.put(resource.storage, key, object),
    created: true,
  };
}

function chooseName(
  { server, request }: Write,
  { name = "", generateName = "" }: ObjectMetadata,
): string {
  const { resource, namespace } = request;
  if (name !== "") {
    return name;
  }
  if (generateName === "") {
    throw invalid(resource, "", [
      cause.required("metadata.name", "name or generateName is required"),
    ]);
  }
  const collection = server.store.collection(resource.storage);
  const attempts = Array.from(
    { length: 8 },
    () => `${generateName.slice(0, 58)}${nameSuffix(server.random)}`,
  );
  return (
    attempts.find((attempt) => collection.get(objectKey(namespace, attempt)) === undefined) ?? ""
  );
}

/** Replaces an object, or creates it where the kind allows that. */
export function updateObject(write: Write, given: ApiObject): Written {
  const { server, request } = write;
  const { resource, namespace, name } = request;
  assertSameName(given, name);
  const before = server.store.collection(resource.storage).get(objectKey(namespace, name));
  if (before === undefined) {
    if (resource.rules.createOnUpdate && request.subresource === "" && !write.patch) {
      return createObject(write, {
        ...given,
        metadata: omitKeys(given.metadata, "resourceVersion"),
      });
    }
    throw notFound(resource, name);
  }
  assertPreconditions(write, given.metadata, before.metadata);
  return { object: replaceObject(write, given, before), created: false };
}

function replaceObject(write: Write, given: ApiObject, before: ApiObject): ApiObject {
  const { server, request, options } = write;
  const { resource, namespace, name, subresource } = request;
  const merged = mergeParts(resource, given, before, subresource);
  const hooked = subresource === "" ? onUpdate(resource, merged, before) : merged;
  const prepared = withGeneration(resource, typed(write, hooked), before);
  const { deletionTimestamp } = before.metadata;
  assertValid(resource, prepared, [
    ...immutableCauses(given.metadata, before.metadata),
    ...metadataCauses(prepared, resource),
    ...(deletionTimestamp === undefined
      ? []
      : newFinalizerCauses(before.metadata.finalizers ?? [], prepared.metadata.finalizers ?? [])),
    ...(subresource === ""
      ? [...immutableFieldCauses(resource, prepared, before), ...kindCauses(resource, prepared)]
      : []),
    ...(resource.storage === "pods" ? podSpecCauses(subresource, prepared, before) : []),
  ]);
  const object = manage(write, normalized(prepared), before);
  const key = objectKey(namespace, name);
  if (isFinished(resource, object)) {
    if (!options.dryRun) {
      server.store.remove(resource.storage, key, object);
      afterRemoval(server, namespace);
    }
    return object;
  }
  // A write that changes nothing, or only when somebody wrote last, is no write: no version, no event.
  if (options.dryRun || jsonEqual(comparable(object), comparable(before))) {
    return options.dryRun ? object : before;
  }
  return server.store.put(resource.storage, key, object);
}

function comparable(object: ApiObject): JsonObject {
  const { metadata, ...rest } = withoutVersion(object) as ApiObject;
  const managedFields = metadata.managedFields?.map((entry) => omitKeys(entry, "time"));
  return { ...rest, metadata: { ...metadata, managedFields } };
}

/** Whether an object that is being deleted has nothing left to wait for. */
export function isFinished({ storage }: ServedResource, object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  const more = storage === "namespaces" ? stringsOf(getPath(object, "spec", "finalizers")) : [];
  return (
    deletionTimestamp !== undefined &&
    deletionGracePeriodSeconds === 0 &&
    finalizers.length === 0 &&
    more.length === 0
  );
}

function typed({ form }: Write, object: ApiObject): ApiObject {
  return form === undefined ? object : form.of(object);
}

function manage(write: Write, object: ApiObject, before: ApiObject | undefined): ApiObject {
  if (write.manage !== undefined) {
    return write.manage(object, before);
  }
  const { server, request, schema, form, options } = write;
  return updateManagers({
    empty: form?.empty,
    object,
    before,
    schema,
    resource: request.resource,
    manager: options.manager,
    subresource: request.subresource,
    time: timestamp(server.clock),
  });
}

function assertValid(
  resource: ServedResource,
  object: ApiObject,
  causes: readonly StatusCause[],
): void {
  if (causes.length > 0) {
    throw invalid(resource, object.metadata.name ?? "", causes);
  }
}
