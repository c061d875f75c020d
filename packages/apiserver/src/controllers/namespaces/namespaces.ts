import { isGoing } from "../../objects/owner-references.js";
import type { StoreEvent } from "../../store/history.js";
import type { Store } from "../../store/store.js";
import type { Controller } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { emptyNamespace } from "./empty-namespace.js";

/**
 * Empties terminating namespaces and removes them: pods first, then everything else. It waits for objects with
 * finalizers, and reports them in the namespace's conditions.
 */
export function createNamespaceController(context: ControllerParts): Controller {
  return {
    name: "namespaces",
    keysOf: (event, storage) => keysOf(context.server.store, event, storage),
    async reconcile(name) {
      await emptyNamespace(context, name);
      return undefined;
    },
  };
}

function keysOf(
  store: Store,
  { object, key, namespace, type }: StoreEvent,
  storage: string,
): Iterable<string> {
  if (storage === "namespaces") {
    return type !== "DELETED" && isGoing(object) ? [key] : [];
  }
  const above = namespace === "" ? undefined : store.collection("namespaces").get(namespace);
  return above !== undefined && isGoing(above) ? [namespace] : [];
}
