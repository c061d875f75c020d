import type { Write } from "../context/write.js";
import type { ApiObject } from "../objects/api-object.js";
import { type JsonObject, omitKeys } from "../objects/json-value.js";
import type { AdmissionAttributes } from "./attributes.js";
import { kindOf } from "./matching/kind-of.js";

/** Returns the attributes of a write for the plugins that decide on the final object. */
export function writeAttributes(
  write: Write,
  object: ApiObject,
  old: ApiObject | undefined,
): AdmissionAttributes {
  const { request, view } = write;
  const { resource, subresource, user } = request;
  const operation = old === undefined ? "CREATE" : "UPDATE";
  const name = object.metadata.name ?? request.name;
  return {
    operation,
    resource,
    subresource,
    kind: kindOf(resource, subresource),
    name,
    namespace: resource.groupResource === "namespaces" ? name : request.namespace,
    object: view?.of(object) ?? object,
    oldObject: old && (view?.of(old) ?? old),
    options: requestOptions(request.query, operation),
    user,
    dryRun: write.options.dryRun,
  };
}

/**
 * Returns the attributes of a write for the plugins that may change the object. A new object then has no metadata of the
 * server yet: a generated name, the uid and the creation time follow later.
 */
export function mutableAttributes(
  write: Write,
  object: ApiObject,
  old: ApiObject | undefined,
): AdmissionAttributes {
  const attributes = writeAttributes(write, asSent(write, object, old), old);
  const { resource } = attributes;
  if (old !== undefined || !write.isNameGenerated) {
    return attributes;
  }
  return {
    ...attributes,
    name: "",
    namespace: resource.groupResource === "namespaces" ? "" : attributes.namespace,
  };
}

/** Returns an object without the metadata that the server has set on it. */
function asSent(
  { isNameGenerated, request }: Write,
  object: ApiObject,
  old: ApiObject | undefined,
): ApiObject {
  if (old !== undefined) {
    return object;
  }
  const set = [
    "uid",
    "creationTimestamp",
    ...(request.resource.rules.generation ? ["generation"] : []),
    ...(isNameGenerated ? ["name"] : []),
  ];
  return { ...object, metadata: omitKeys(object.metadata, ...set) };
}

/** Returns the options of a write as an API object. */
export function requestOptions(query: URLSearchParams, operation: "CREATE" | "UPDATE"): JsonObject {
  const dryRun = query.getAll("dryRun");
  const texts = ["fieldManager", "fieldValidation"].flatMap((key) => {
    const value = query.get(key);
    return value === null || value === "" ? [] : [[key, value] as const];
  });
  return {
    kind: operation === "CREATE" ? "CreateOptions" : "UpdateOptions",
    apiVersion: "meta.k8s.io/v1",
    ...(dryRun.length === 0 ? {} : { dryRun }),
    ...Object.fromEntries(texts),
  };
}
