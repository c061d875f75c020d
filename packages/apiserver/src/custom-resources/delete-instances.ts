import type { ServerContext } from "../context/server-context.js";
import { timestamp } from "../objects/timestamp.js";
import { afterRemoval, terminating } from "../phases/write/namespaces.js";

/** Deletes all objects of a custom resource; those with finalizers are marked for deletion. */
export function deleteInstances(server: ServerContext, storage: string): void {
  const { store, clock } = server;
  for (const [key, object] of store.collection(storage).entries("")) {
    if ((object.metadata.finalizers ?? []).length === 0) {
      store.remove(storage, key);
      afterRemoval(server, object.metadata.namespace ?? "");
    } else if (object.metadata.deletionTimestamp === undefined) {
      store.put(storage, key, terminating(object, timestamp(clock)));
    }
  }
}
