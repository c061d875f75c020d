import { forbidden, notFound } from "../response/status-errors.js";
import { type ServerContext, timestamp } from "../server-context.js";
import { getPath } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import { secondsAfter, shortened } from "../write/graceful-deletion.js";
import type { ServedResource } from "./served-resource.js";

/** The namespaces that every cluster has from the start and that cannot be deleted. */
export const systemNamespaces: readonly string[] = [
  "default",
  "kube-node-lease",
  "kube-public",
  "kube-system",
];
const undeletable = new Set(["default", "kube-public", "kube-system"]);

/** Whether a namespace may be deleted at all. */
export function assertDeletable(resource: ServedResource, name: string): void {
  if (resource.storage === "namespaces" && undeletable.has(name)) {
    throw forbidden(resource, name, "this namespace may not be deleted");
  }
}

/** New objects need a namespace that is there and stays. */
export function assertNamespaceOpen(
  { store, registry }: ServerContext,
  resource: ServedResource,
  namespace: string,
  name: string,
): void {
  if (registry.find("", "v1", "namespaces") === undefined) {
    return;
  }
  const found = store.collection("namespaces").get(namespace);
  if (found === undefined) {
    throw notFound({ group: "", plural: "namespaces" }, namespace);
  }
  if (found.metadata.deletionTimestamp !== undefined) {
    throw forbidden(
      resource,
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: "NamespaceTerminating",
          message: `namespace ${namespace} is being terminated`,
          field: "metadata.namespace",
        },
      ],
    );
  }
}

/** Finalizers that the server or its controllers add, and that only controllers remove. */
const clusterFinalizers: readonly string[] = [
  "batch.kubernetes.io/job-tracking",
  "foregroundDeletion",
  "kubernetes.io/pvc-protection",
  "orphan",
];

/** Removes the finalizers that no client could be expected to remove: here the delete does what controllers do elsewhere. */
function withoutClusterFinalizers(object: ApiObject): ApiObject {
  const { finalizers = [] } = object.metadata;
  const others = finalizers.filter((one) => !clusterFinalizers.includes(one));
  return others.length === finalizers.length
    ? object
    : { ...object, metadata: { ...object.metadata, finalizers: others } };
}

/** Empties a namespace that is being deleted, then lets it go, where no controller is there for that. */
export function emptyNamespace(server: ServerContext, namespace: string): void {
  const { store, clock } = server;
  if (server.namespaceKeeper !== "delete") {
    return;
  }
  for (const [storage, collection] of store.collections()) {
    for (const [key, kept] of collection.entries(`${namespace}/`)) {
      const object = withoutClusterFinalizers(kept);
      if ((object.metadata.finalizers ?? []).length === 0) {
        store.remove(storage, key);
        continue;
      }
      const begun = object.metadata.deletionTimestamp !== undefined;
      const ended = begun
        ? shortened(object, { gracePeriodSeconds: 0 })
        : terminating(object, timestamp(clock));
      if (ended !== kept) {
        store.put(storage, key, ended);
      }
    }
  }
  afterRemoval(server, namespace);
}

/** Lets a terminating namespace go once nothing is left in it. */
export function afterRemoval({ store, namespaceKeeper }: ServerContext, namespace: string): void {
  if (namespaceKeeper !== "delete") {
    return;
  }
  const found = namespace === "" ? undefined : store.collection("namespaces").get(namespace);
  if (found?.metadata.deletionTimestamp === undefined) {
    return;
  }
  for (const [, collection] of store.collections()) {
    if (collection.entries(`${namespace}/`).length > 0) {
      return;
    }
  }
  if ((found.metadata.finalizers ?? []).length > 0) {
    if (getPath(found, "spec", "finalizers") !== undefined) {
      store.put("namespaces", namespace, { ...found, spec: {} });
    }
    return;
  }
  store.remove("namespaces", namespace);
}

/** An object that is being deleted from now on and should be gone after its grace period. */
export function terminating(object: ApiObject, now: string, gracePeriodSeconds = 0): ApiObject {
  const { generation } = object.metadata;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      deletionTimestamp: secondsAfter(now, gracePeriodSeconds),
      deletionGracePeriodSeconds: gracePeriodSeconds,
      ...(generation === undefined ? {} : { generation: generation + 1 }),
    },
  };
}
