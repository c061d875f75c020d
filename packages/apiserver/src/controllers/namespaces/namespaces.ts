import type { ApiObject } from "../../objects/api-object.js";
import { conditionsOf, withConditionText } from "../../objects/conditions.js";
import type { JsonObject } from "../../objects/json-value.js";
import { getPath, jsonEqual } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf } from "../../objects/parts.js";
import { isFinished } from "../../phases/write/store-object.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { namespaceConditions, type Remains } from "./namespace-conditions.js";

/**
 * Empties terminating namespaces and removes them: pods first, then everything else. It waits for objects with
 * finalizers, and reports them in the namespace's conditions.
 */
export function createNamespaceController({ server, writer }: ControllerParts): Controller {
  const { store, clock } = server;

  const reconcile = async (name: string): Promise<Reconciled> => {
    const namespace = store.collection("namespaces").get(name);
    if (namespace === undefined || !isGoing(namespace) || !isHeld(namespace)) {
      return undefined;
    }
    await removeFrom("pods", name);
    if (contentsOf("pods", name).length === 0) {
      for (const [storage] of [...store.collections()]) {
        await removeFrom(storage, name);
      }
    }
    const remains = remainsOf(name);
    const found = store.collection("namespaces").get(name) ?? namespace;
    const current = withConditions(found, remains);
    if (remains.counts.size === 0) {
      finalize(name, current);
    }
    return undefined;
  };

  const removeFrom = async (storage: string, name: string) => {
    for (const object of contentsOf(storage, name)) {
      if (!isGoing(object)) {
        await writer.prepare([storage]);
        await writer.deleteConverted(storage, object, { propagationPolicy: "Background" });
      }
    }
  };

  const contentsOf = (storage: string, name: string): ApiObject[] =>
    store
      .collection(storage)
      .entries(`${name}/`)
      .map(([, object]) => object);

  const remainsOf = (name: string): Remains => {
    const counts = new Map<string, number>();
    const finalizers = new Map<string, number>();
    for (const [storage] of [...store.collections()]) {
      const left = contentsOf(storage, name);
      if (left.length > 0) {
        counts.set(storage.includes(".") ? storage : `${storage}.`, left.length);
      }
      for (const finalizer of left.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
        finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
      }
    }
    return { counts, finalizers };
  };

  const withConditions = (namespace: ApiObject, remains: Remains): ApiObject => {
    const before = conditionsOf(namespace);
    const conditions = namespaceConditions(remains).reduce<JsonObject[]>(
      (all, text) => withConditionText(all, text, clock),
      before,
    );
    if (jsonEqual(conditions, before)) {
      return namespace;
    }
    const status = { ...mapOf(namespace["status"]), conditions };
    return writer.update("namespaces", { ...namespace, status }, "status");
  };

  const finalize = (name: string, namespace: ApiObject) => {
    const emptied: ApiObject = { ...namespace, spec: {} };
    if (isFinished(emptied)) {
      store.remove("namespaces", name);
    } else {
      store.put("namespaces", name, emptied);
    }
  };

  return {
    name: "namespaces",
    keysOf({ object, key, namespace, type }, storage) {
      if (storage === "namespaces") {
        return type !== "DELETED" && isGoing(object) ? [key] : [];
      }
      const above = namespace === "" ? undefined : store.collection("namespaces").get(namespace);
      return above !== undefined && isGoing(above) ? [namespace] : [];
    },
    reconcile,
  };
}

function isHeld(namespace: ApiObject): boolean {
  const finalizers = getPath(namespace, "spec", "finalizers");
  return Array.isArray(finalizers) && finalizers.includes("kubernetes");
}
