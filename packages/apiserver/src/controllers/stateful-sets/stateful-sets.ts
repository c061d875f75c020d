import { isGoing } from "../../objects/owner-references.js";
import { mapOf, specOf } from "../../objects/parts.js";
import type { StoreEvent } from "../../store/history.js";
import { claim, keysOfOwner, splitKey } from "../pods/owned-pods.js";
import { templateHash } from "../pods/template-hash.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { arrangePods } from "./arrange-pods.js";
import { claimStorage, numberOf, setStorage } from "./set-facts.js";
import { writeSetStatus } from "./set-status.js";

/**
 * Maintains the numbered pods of StatefulSets: creates them in order, each once the previous one is ready, deletes them
 * from the last, and replaces them from the last when the template changes. It does not write ControllerRevisions.
 */
export function createStatefulSetController(context: ControllerParts): Controller {
  return {
    name: "stateful-sets",
    follows: [setStorage, "pods", claimStorage],
    keysOf: (event, storage) => keysOf(context, event, storage),
    reconcile: (key) => reconcile(context, key),
  };
}

function keysOf(context: ControllerParts, event: StoreEvent, storage: string): Iterable<string> {
  switch (storage) {
    case setStorage:
      return [event.key];
    case "pods":
      return keysOfOwner(context, event, { storage: setStorage, kind: "StatefulSet" });
    default:
      return [];
  }
}

function reconcile(context: ControllerParts, key: string): Reconciled {
  const set = context.writer.get(setStorage, ...splitKey(key));
  if (set === undefined) {
    return undefined;
  }
  const pods = claim(context, set, "pods", (pod) => numberOf(set, pod) >= 0);
  const revision = `${set.metadata.name}-${templateHash(mapOf(specOf(set)["template"]), 0)}`;
  const wait = isGoing(set) ? undefined : arrangePods(context, set, pods, revision);
  writeSetStatus(context, set, revision);
  return wait;
}
