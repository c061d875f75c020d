import type { ApiObject } from "../../objects/api-object.js";
import { getPath } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf, specOf } from "../../objects/parts.js";
import { selectsByMap } from "../../objects/selects.js";
import type { StoreEvent } from "../../store/history.js";
import { nodeOf } from "../pods/node-of.js";
import { claim, keysOfOwner, splitKey } from "../pods/owned-pods.js";
import { createOwnedPod, deleteOwnedPod } from "../pods/pod-control.js";
import { compareAge, hasEnded, isActive, isReady } from "../pods/pods.js";
import { templateHash } from "../pods/template-hash.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { daemonPodOf, hashLabel } from "./daemon-pod.js";
import { daemonStorage, writeDaemonStatus } from "./daemon-status.js";

const source = { component: "daemonset-controller" } as const;

/**
 * Keeps one pod of each DaemonSet on every Node that its node selector matches; taints are ignored. Pods of an older
 * template are replaced one at a time.
 */
export function createDaemonSetController(context: ControllerParts): Controller {
  return {
    name: "daemon-sets",
    follows: [daemonStorage, "pods", "nodes"],
    keysOf: (event, storage) => keysOf(context, event, storage),
    reconcile: (key) => reconcile(context, key),
  };
}

function keysOf(context: ControllerParts, event: StoreEvent, storage: string): Iterable<string> {
  const { key, object, previous, type } = event;
  switch (storage) {
    case daemonStorage:
      return [key];
    case "pods":
      return keysOfOwner(context, event, { storage: daemonStorage, kind: "DaemonSet" });
    default: {
      const isSame = type === "MODIFIED" && previous?.metadata.labels === object.metadata.labels;
      const sets = context.server.store.collection(daemonStorage);
      return isSame ? [] : sets.entries("").map(([one]) => one);
    }
  }
}

function reconcile(context: ControllerParts, key: string): Reconciled {
  const set = context.writer.get(daemonStorage, ...splitKey(key));
  if (set === undefined) {
    return undefined;
  }
  const pods = claim(context, set, "pods");
  const nodes = nodesOf(context, set);
  const hash = templateHash(mapOf(specOf(set)["template"]), 0);
  if (!isGoing(set)) {
    spreadPods(context, set, pods, nodes, hash);
    replaceOutdated(context, set, pods, nodes.length, hash);
  }
  writeDaemonStatus(context, set, nodes, hash);
  return undefined;
}

/** Returns the names of the Nodes that a DaemonSet selects. */
function nodesOf({ writer }: ControllerParts, set: ApiObject): string[] {
  const chosen = getPath(set, "spec", "template", "spec", "nodeSelector");
  return writer
    .list("nodes", "")
    .filter((node) => chosen === undefined || selectsByMap(chosen, node))
    .map(({ metadata }) => metadata.name ?? "");
}

/** Creates a pod on each Node without one, and deletes ended pods, duplicates, and pods on other Nodes. */
export function spreadPods(
  context: ControllerParts,
  set: ApiObject,
  pods: readonly ApiObject[],
  nodes: readonly string[],
  hash: string,
): void {
  const remove = (pod: ApiObject) => deleteOwnedPod(context, set, pod, source);
  for (const node of nodes) {
    const here = pods.filter((pod) => nodeOf(pod) === node).sort(compareAge);
    const [, ...more] = here.filter(isActive);
    [...more, ...here.filter((pod) => hasEnded(pod) && !isGoing(pod))].forEach(remove);
    if (here.every(hasEnded)) {
      createOwnedPod(context, set, daemonPodOf(set, node, hash), source);
    }
  }
  pods.filter((pod) => !nodes.includes(nodeOf(pod)) && !isGoing(pod)).forEach(remove);
}

/** Deletes one pod of an older template while all pods are ready. */
function replaceOutdated(
  context: ControllerParts,
  set: ApiObject,
  pods: readonly ApiObject[],
  wanted: number,
  hash: string,
): void {
  const active = pods.filter(isActive);
  const isRolling = getPath(set, "spec", "updateStrategy", "type") !== "OnDelete";
  if (isRolling && active.length === wanted && active.every(isReady)) {
    const old = active.find((pod) => pod.metadata.labels?.[hashLabel] !== hash);
    if (old !== undefined) {
      deleteOwnedPod(context, set, old, source);
    }
  }
}
