import type { StatusCause } from "@typekube/core";
import { updateManagers } from "./apply/managed-fields.js";
import {
  getPath,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  omitKeys,
  stringsOf,
  withoutNulls,
} from "./json-value.js";
import { onCreate, onUpdate } from "./kind-hooks.js";
import { immutableCauses, mergeParts, withGeneration } from "./merge-parts.js";
import { afterRemoval, assertNamespaceOpen } from "./namespaces.js";
import { nameSuffix, randomUid } from "./random.js";
import { conform } from "./schema/conform.js";
import type { ServedResource } from "./served-resource.js";
import { timestamp } from "./server-context.js";
import { alreadyExists, badRequest, cause, failure, invalid, notFound } from "./status-errors.js";
import { objectKey, withoutVersion } from "./store.js";
import { type ApiObject, normalized, type ObjectMetadata } from "./stored-object.js";
import { assertPreconditions, assertSameName } from "./update-preconditions.js";
import { kindCauses, metadataCauses, newFinalizerCauses } from "./validation.js";
import type { Write, Written } from "./write.js";

/** Checks the kind, the namespace and the fields of what a client sent. */
export function admit({ request, schema, options, warnings }: Write, body: JsonObject): ApiObject {
  const { resource, namespace } = request;
  const { apiVersion, kind } = resource.descriptor;
  const given = `${String(body["kind"] ?? "")} in version "${String(body["apiVersion"] ?? apiVersion)}"`;
  if ((body["apiVersion"] ?? apiVersion) !== apiVersion || (body["kind"] ?? kind) !== kind) {
    const internal = resource.group === "" ? "core" : (resource.group.split(".")[0] ?? "");
    throw badRequest(
      `${given} cannot be handled as a ${kind}: converting (${String(body["apiVersion"] ?? apiVersion).replace(/^.*\//, "")}.${String(body["kind"] ?? "")}) to (${internal}.${kind}): unknown conversion`,
    );
  }
  const { object, unknownFields } = conform(
    { ...body, apiVersion, kind },
    schema,
    kind,
    resource.version,
  );
  if (unknownFields.length > 0 && options.fieldValidation === "Strict") {
    const list = unknownFields.map((field) => `unknown field ${JSON.stringify(field)}`).join(", ");
    throw badRequest(
      `${kind} in version "${resource.version}" cannot be handled as a ${kind}: strict decoding error: ${list}`,
    );
  }
  if (options.fieldValidation === "Warn") {
    warnings.push(...unknownFields.map((field) => `unknown field ${JSON.stringify(field)}`));
  }
  const metadata: ObjectMetadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  if ((metadata.namespace ?? "") !== "" && metadata.namespace !== namespace) {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  return {
    ...object,
    apiVersion,
    kind,
    metadata: namespace === "" ? metadata : { ...metadata, namespace },
  };
}

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
  const prepared = onCreate(resource, {
    ...given,
    metadata: {
      ...omitKeys(metadata, ...dropped),
      name,
      uid: randomUid(server.random),
      creationTimestamp: timestamp(server.clock),
      ...(resource.rules.generation ? { generation: 1 } : {}),
    },
  });
  assertValid(resource, prepared, [
    ...metadataCauses(prepared, resource),
    ...kindCauses(resource, prepared),
  ]);
  const key = objectKey(namespace, name);
  if (server.store.collection(resource.storage).get(key) !== undefined) {
    throw alreadyExists(resource, name);
  }
  const object = manage(write, completed(write, prepared), undefined);
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
  const prepared = withGeneration(resource, hooked, before);
  const { deletionTimestamp } = before.metadata;
  assertValid(resource, prepared, [
    ...immutableCauses(given.metadata, before.metadata),
    ...metadataCauses(prepared, resource),
    ...(deletionTimestamp === undefined
      ? []
      : newFinalizerCauses(before.metadata.finalizers ?? [], prepared.metadata.finalizers ?? [])),
    ...(subresource === "" ? kindCauses(resource, prepared) : []),
  ]);
  const object = manage(write, completed(write, prepared), before);
  const key = objectKey(namespace, name);
  if (isFinished(resource, object)) {
    if (!options.dryRun) {
      server.store.remove(resource.storage, key, object);
      afterRemoval(server, namespace);
    }
    return object;
  }
  // A write that changes nothing is no write: no version, no event.
  if (options.dryRun || jsonEqual(withoutVersion(object), withoutVersion(before))) {
    return options.dryRun ? object : before;
  }
  return server.store.put(resource.storage, key, object);
}

/** Whether an object that is being deleted has nothing left to wait for. */
export function isFinished({ storage }: ServedResource, object: ApiObject): boolean {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  const more = storage === "namespaces" ? stringsOf(getPath(object, "spec", "finalizers")) : [];
  return deletionTimestamp !== undefined && finalizers.length === 0 && more.length === 0;
}

/** The object in its final form: nothing empty in the metadata, and the structs that a typed object always has. */
function completed({ skeleton }: Write, object: ApiObject): ApiObject {
  const missing = Object.keys(skeleton ?? {}).filter(
    (key) => object[key] === undefined && isJsonObject(skeleton?.[key]),
  );
  const filled = { ...object };
  for (const key of missing) {
    filled[key] = withoutNulls(skeleton?.[key]);
  }
  return normalized(filled);
}

function manage(write: Write, object: ApiObject, before: ApiObject | undefined): ApiObject {
  if (write.manage !== undefined) {
    return write.manage(object, before);
  }
  const { server, request, schema, skeleton, options } = write;
  return updateManagers({
    skeleton,
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
