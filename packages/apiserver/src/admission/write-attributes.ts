import type { Write } from "../context/write.js";
import { type ApiObject, normalized } from "../objects/api-object.js";
import { type JsonObject, omitKeys } from "../objects/json-value.js";
import { readMutated } from "../phases/decode/read-mutated.js";
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
 * Returns the attributes of a write for the plugins that may change the object. They see it as the client sent it: with
 * a status that is not stored, and without a generated name, uid and creation time.
 *
 * @param sent - the object as sent, or as plugins have changed it in the first round.
 */
export function mutableAttributes(
  write: Write,
  object: ApiObject,
  old: ApiObject | undefined,
  sent: ApiObject,
): AdmissionAttributes {
  const attributes = writeAttributes(write, object, old);
  const { resource } = attributes;
  const shown = write.view === undefined ? asSent(write, object, old, sent) : attributes.object;
  if (old !== undefined || !write.isNameGenerated) {
    return { ...attributes, object: shown };
  }
  return {
    ...attributes,
    object: shown,
    name: "",
    namespace: resource.groupResource === "namespaces" ? "" : attributes.namespace,
  };
}

/** Returns the object that is written in the form in which the client sent it. */
function asSent(
  write: Write,
  object: ApiObject,
  old: ApiObject | undefined,
  sent: ApiObject,
): ApiObject {
  const { managedFields } = object.metadata;
  if (old === undefined) {
    return {
      ...withStatusOf(write, object, sent),
      metadata: omitKeys(object.metadata, ...setOn(write)),
    };
  }
  const whole =
    write.request.subresource === "" ? withStatusOf(write, object, sent) : readMutated(write, sent);
  return normalized({ ...whole, metadata: { ...sent.metadata, managedFields } });
}

/** Returns the metadata that the server sets on a new object. */
function setOn({ isNameGenerated, request }: Write): string[] {
  return [
    "uid",
    "creationTimestamp",
    ...(request.resource.rules.generation ? ["generation"] : []),
    ...(isNameGenerated ? ["name"] : []),
  ];
}

function withStatusOf(
  { request, form }: Write,
  object: ApiObject,
  { status }: ApiObject,
): ApiObject {
  if (!request.resource.hasStatus) {
    return object;
  }
  const others = omitKeys(object, "status");
  const whole = status === undefined ? others : { ...others, status };
  return normalized(form === undefined ? whole : form.of(whole));
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
