import type { ServerContext } from "../../context/server-context.js";
import { forbidden, notFound } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { getPath } from "../../objects/json-value.js";
import { timestamp } from "../../objects/timestamp.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { secondsAfter, shortened } from "./graceful-deletion.js";

/** Server state that the deletion of a namespace needs. */
type NamespaceServer = Pick<ServerContext, "clock" | "namespaceKeeper" | "store">;

/** Checks that the namespace of a new object exists and is not terminating. */
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

/** Finalizers added by the server or its controllers, and removed only by controllers. */
const clusterFinalizers: readonly string[] = [
  "batch.kubernetes.io/job-tracking",
  "foregroundDeletion",
  "kubernetes.io/pvc-protection",
  "orphan",
];

/** Removes finalizers that clients don't handle, since without a controller the delete must do its work. */
function withoutClusterFinalizers(object: ApiObject): ApiObject {
  const { finalizers = [] } = object.metadata;
  const others = finalizers.filter((one) => !clusterFinalizers.includes(one));
  return others.length === finalizers.length
    ? object
    : { ...object, metadata: { ...object.metadata, finalizers: others } };
}

/** Empties and then removes a deleted namespace, when no controller does so. */
export function emptyNamespace(server: NamespaceServer, namespace: string): void {
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

/** Removes a terminating namespace once it is empty. */
export function afterRemoval({ store, namespaceKeeper }: NamespaceServer, namespace: string): void {
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

/** Marks an object as being deleted, with a grace period. */
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
