import { strategyWrite, type Write, type Written } from "../../context/write.js";
import { notFound } from "../../errors/status-errors.js";
import { type ApiObject, normalized } from "../../objects/api-object.js";
import { type JsonObject, jsonEqual, omitKeys } from "../../objects/json-value.js";
import { asVersion, forStorage } from "../../resources/versions/object-versions.js";
import { objectKey, withoutVersion } from "../../store/store.js";
import { assertGrantable, assertValidChange } from "../validate/validate-object.js";
import { completeObject } from "./complete-object.js";
import { createObject } from "./create-object.js";
import { mergeParts, withGeneration } from "./merge-parts.js";
import { afterRemoval } from "./namespaces.js";
import { isFinished, storeObject } from "./store-object.js";
import { assertPreconditions, assertSameName } from "./update-preconditions.js";

/** Replaces an object, or creates it where the kind allows that. */
export function updateObject(write: Write, given: ApiObject): Written {
  const { server, request } = write;
  const { resource, namespace, name } = request;
  assertSameName(given, name);
  const stored = server.store.collection(resource.storage).get(objectKey(namespace, name));
  if (stored === undefined) {
    if (resource.rules.createOnUpdate && request.subresource === "" && !write.patch) {
      return createObject(write, {
        ...given,
        metadata: omitKeys(given.metadata, "resourceVersion"),
      });
    }
    throw notFound(resource, name);
  }
  const old = asVersion(stored, resource);
  assertPreconditions(write, given.metadata, old.metadata);
  const { managed, prepared } = prepareChange(write, given, old);
  assertValidChange(write, given.metadata, prepared, old);
  const { strategy } = resource;
  if (request.subresource === "") {
    assertGrantable(write, managed, old);
    write.warnings.push(...(strategy.warnings?.(prepared, old) ?? []));
  }
  write.warnings.push(...(strategy.writeWarnings?.(prepared, old, server) ?? []));
  const charge = write.admission.validate(write, prepared, old);
  return { object: storeChange(write, normalized(prepared), old, stored, charge), created: false };
}

/** Merges the written parts into the old object and completes the result. */
function prepareChange(
  write: Write,
  given: ApiObject,
  old: ApiObject,
): { readonly managed: ApiObject; readonly prepared: ApiObject } {
  const { resource, subresource } = write.request;
  const { strategy } = resource;
  const merged = mergeParts(resource, given, old, subresource);
  const whole = strategy.schemaDefaults?.(merged) ?? merged;
  const { managed, admitted } = completeObject({ ...write, sent: given }, whole, old);
  const prepare = subresource === "" ? strategy.prepareUpdate : strategy.prepareSubresource;
  const prepared = prepare?.(admitted, old, strategyWrite(write)) ?? admitted;
  // A status write may change annotations, but never increases the generation.
  return {
    managed,
    prepared: subresource === "status" ? prepared : withGeneration(resource, prepared, old),
  };
}

/** @param stored - the old object as stored, without the defaults and conversions that readers see. */
function storeChange(
  write: Write,
  object: ApiObject,
  old: ApiObject,
  stored: ApiObject,
  charge: () => void,
): ApiObject {
  const { server, request, options } = write;
  const { resource, namespace, name } = request;
  const key = objectKey(namespace, name);
  if (isFinished(object, resource.strategy)) {
    if (!options.dryRun) {
      server.store.remove(resource.storage, key);
      afterRemoval(server, namespace);
    }
    return object;
  }
  const next = forStorage(object, resource);
  if (options.dryRun) {
    return asVersion(next, resource);
  }
  // A write that changes nothing except times in managedFields stores nothing: no new resourceVersion, no event.
  return jsonEqual(comparable(next), comparable(stored))
    ? old
    : storeObject(write, key, next, charge);
}

function comparable(object: ApiObject): JsonObject {
  const { metadata, ...rest } = withoutVersion(object) as ApiObject;
  const managedFields = metadata.managedFields?.map((entry) => omitKeys(entry, "time"));
  return { ...rest, metadata: { ...metadata, managedFields } };
}
