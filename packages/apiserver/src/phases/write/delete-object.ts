import type { Status } from "@typekube/core";
import type { ServerContext } from "../../context/server-context.js";
import { conflict } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { JsonObject } from "../../objects/json-value.js";
import { timestamp } from "../../objects/timestamp.js";
import type { DeleteOptions } from "../../request/delete-options.js";
import { readListOptions } from "../../request/list-options.js";
import type { ResourceRequest } from "../../request/request-info.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { asVersion, forStorage } from "../../resources/versions/object-versions.js";
import { objectKey } from "../../store/store.js";
import { existing, list } from "../read/read-objects.js";
import { policyOf, shortened } from "./graceful-deletion.js";
import { afterRemoval, terminating } from "./namespaces.js";
import { isFinished } from "./store-object.js";

/** Finalizers by which a propagation policy involves the garbage collector. */
const policyFinalizers = { Foreground: "foregroundDeletion", Orphan: "orphan" } as const;

/** Admits the deletion of an object, in the version of the request; throws if it is denied. */
export type AdmitDelete = (old: ApiObject) => void;

/**
 * Deletes one object, or begins its deletion. Returns the object if it remains or its kind returns deleted objects,
 * otherwise a Status.
 *
 * @param admit - admits the deletion; called after the preconditions hold, and not for a deletion already in progress.
 */
export function deleteObject(
  server: ServerContext,
  { resource, namespace, name }: Pick<ResourceRequest, "name" | "namespace" | "resource">,
  options: DeleteOptions,
  admit: AdmitDelete = () => {},
): ApiObject | Status {
  const shown = existing(server, resource, namespace, name);
  // The stored version may differ from the requested one.
  const before = server.store.collection(resource.storage).get(objectKey(namespace, name)) ?? shown;
  resource.strategy.assertDeletable?.(name);
  assertDeletePreconditions(resource, before, options, objectKey(namespace, name));
  const { object, gone } = removeOrBegin(server, resource, before, options, () => admit(shown));
  return gone && !resource.rules.returnDeleted
    ? success(resource, object)
    : asVersion(object, resource);
}

/** Checks the preconditions of a delete. */
export function assertDeletePreconditions(
  { group, kind, plural, rules }: ServedResource,
  { metadata }: ApiObject,
  options: DeleteOptions,
  key: string,
): void {
  const name = metadata.name ?? "";
  const { uid, resourceVersion } = options;
  if (options.ignoreReadErrors) {
    const path = `/registry/${plural}/${key}`;
    throw conflict(
      group,
      plural,
      name,
      `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: unsafe deletion is not allowed because the object is decodable from storage`,
    );
  }
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(group, rules.conflictsNameResource ? plural : kind, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(group, rules.conflictsNameResource ? plural : kind, name, why);
  }
}

function removeOrBegin(
  server: ServerContext,
  resource: ServedResource,
  before: ApiObject,
  options: DeleteOptions,
  admit: () => void,
): { object: ApiObject; gone: boolean } {
  const { dryRun, propagationPolicy } = options;
  const { store, clock } = server;
  const { storage, rules, strategy } = resource;
  const { name = "", namespace = "" } = before.metadata;
  const key = objectKey(namespace, name);
  const policy = propagationPolicy ?? policyOf(resource, before);
  const marked = withPolicy(strategy.prepareDelete?.(before, server) ?? before, policy);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = before.metadata;
  const begun = deletionTimestamp !== undefined;
  // No change while the grace period runs, unless the request shortens it.
  if (begun && deletionGracePeriodSeconds > 0 && shortened(before, options) === before) {
    return { object: before, gone: false };
  }
  admit();
  const ended = begun
    ? shortened(marked, options)
    : beginDeletion(resource, marked, timestamp(clock), options);
  if (!isFinished(ended, strategy)) {
    if (ended === before) {
      return { object: ended, gone: false };
    }
    const stored = restored(resource, ended);
    if (dryRun) {
      return { object: stored, gone: false };
    }
    const object = store.put(storage, key, stored);
    strategy.afterDeletionBegan?.(name, server);
    return { object, gone: false };
  }
  if (dryRun) {
    return { object: rules.removedInTwoSteps ? ended : before, gone: true };
  }
  // A pod that is removed at once still takes two steps: its grace period becomes 0 first.
  if (rules.removedInTwoSteps && ended !== before) {
    store.put(storage, key, ended);
  }
  const object = store.remove(storage, key) ?? before;
  afterRemoval(server, namespace);
  return { object, gone: true };
}

/**
 * Returns an object as a change through this resource stores it: a custom resource is converted to the version of the
 * request and back, and the request fails if that does.
 */
function restored(resource: ServedResource, object: ApiObject): ApiObject {
  return resource.defined === undefined
    ? object
    : forStorage(asVersion(object, resource), resource);
}

function withPolicy(object: ApiObject, policy: DeleteOptions["propagationPolicy"]): ApiObject {
  if (policy === undefined) {
    return object;
  }
  const before = object.metadata.finalizers ?? [];
  const wanted = policy === "Background" ? undefined : policyFinalizers[policy];
  const others = before.filter(
    (finalizer) =>
      finalizer === wanted || !Object.values<string>(policyFinalizers).includes(finalizer),
  );
  const finalizers = wanted === undefined || others.includes(wanted) ? others : [...others, wanted];
  return finalizers.length === before.length &&
    finalizers.every((finalizer, at) => finalizer === before[at])
    ? object
    : { ...object, metadata: { ...object.metadata, finalizers } };
}

function beginDeletion(
  { strategy }: ServedResource,
  object: ApiObject,
  now: string,
  options: DeleteOptions,
): ApiObject {
  return (
    strategy.beginDelete?.(object, now) ??
    terminating(object, now, strategy.gracePeriod?.(object, options) ?? 0)
  );
}

function success({ group, plural }: ServedResource, { metadata }: ApiObject): Status {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      name: metadata.name,
      ...(group === "" ? {} : { group }),
      kind: plural,
      uid: metadata.uid,
    },
  };
}

/**
 * Deletes all selected objects of a collection one by one; returns the list as it was before.
 *
 * @param remove - deletes one object.
 */
export async function deleteCollection(
  server: ServerContext,
  request: ResourceRequest,
  remove: (place: Pick<ResourceRequest, "name" | "namespace" | "resource">) => Promise<unknown>,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { resource } = request;
  const requested = readListOptions(request.query, false);
  // Real servers delete page by page; with a resourceVersion they delete what existed then.
  const limit = requested.limit === 0 ? Number.MAX_SAFE_INTEGER : requested.limit;
  const listed = await list(server, request, { ...requested, limit }, signal);
  for (const item of listed["items"] as ApiObject[]) {
    const { name = "", namespace = "" } = item.metadata;
    const key = objectKey(namespace, name);
    if (server.store.collection(resource.storage).get(key) !== undefined) {
      await remove({ resource, namespace, name });
    }
  }
  return listed;
}
