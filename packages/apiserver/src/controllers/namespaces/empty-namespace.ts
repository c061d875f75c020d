import type { ApiObject } from "../../objects/api-object.js";
import { conditionsOf, withConditionText } from "../../objects/conditions.js";
import { getPath, type JsonObject, jsonEqual } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf } from "../../objects/parts.js";
import { isFinished } from "../../phases/write/store-object.js";
import type { Store } from "../../store/store.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { namespaceConditions, type Remains } from "./namespace-conditions.js";

/** Deletes the content of a terminating namespace, reports what remains, and removes the namespace once it is empty. */
export async function emptyNamespace(context: ControllerParts, name: string): Promise<void> {
  const { store } = context.server;
  const namespace = store.collection("namespaces").get(name);
  if (namespace === undefined || !isGoing(namespace) || !isHeld(namespace)) {
    return;
  }
  await removeFrom(context, "pods", name);
  if (contentsOf(store, "pods", name).length === 0) {
    for (const [storage] of [...store.collections()]) {
      await removeFrom(context, storage, name);
    }
  }
  const remains = remainsOf(store, name);
  const found = store.collection("namespaces").get(name) ?? namespace;
  const current = withRemains(context, found, remains);
  if (remains.counts.size === 0) {
    finalize(store, name, current);
  }
}

async function removeFrom(
  { server, writer }: ControllerParts,
  storage: string,
  name: string,
): Promise<void> {
  for (const object of contentsOf(server.store, storage, name)) {
    if (!isGoing(object)) {
      await writer.prepare([storage]);
      await writer.deleteConverted(storage, object, { propagationPolicy: "Background" });
    }
  }
}

function contentsOf(store: Store, storage: string, name: string): ApiObject[] {
  return store
    .collection(storage)
    .entries(`${name}/`)
    .map(([, object]) => object);
}

function remainsOf(store: Store, name: string): Remains {
  const counts = new Map<string, number>();
  const finalizers = new Map<string, number>();
  for (const [storage] of [...store.collections()]) {
    const left = contentsOf(store, storage, name);
    if (left.length > 0) {
      counts.set(storage.includes(".") ? storage : `${storage}.`, left.length);
    }
    for (const finalizer of left.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
      finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
    }
  }
  return { counts, finalizers };
}

/** Writes the conditions about the remaining content; returns the current namespace. */
function withRemains(
  { server, writer }: ControllerParts,
  namespace: ApiObject,
  remains: Remains,
): ApiObject {
  const before = conditionsOf(namespace);
  const conditions = namespaceConditions(remains).reduce<JsonObject[]>(
    (all, text) => withConditionText(all, text, server.clock),
    before,
  );
  if (jsonEqual(conditions, before)) {
    return namespace;
  }
  const status = { ...mapOf(namespace["status"]), conditions };
  return writer.update("namespaces", { ...namespace, status }, "status");
}

/** Removes the namespace controller's finalizer, and the namespace unless it has others. */
function finalize(store: Store, name: string, namespace: ApiObject): void {
  const emptied: ApiObject = { ...namespace, spec: {} };
  if (isFinished(emptied)) {
    store.remove("namespaces", name);
  } else {
    store.put("namespaces", name, emptied);
  }
}

function isHeld(namespace: ApiObject): boolean {
  const finalizers = getPath(namespace, "spec", "finalizers");
  return Array.isArray(finalizers) && finalizers.includes("kubernetes");
}
