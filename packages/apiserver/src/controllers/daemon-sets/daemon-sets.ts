import type { ApiObject } from "../../objects/api-object.js";
import { getPath, type JsonObject } from "../../objects/json-value.js";
import { isGoing } from "../../objects/owner-references.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { selectsByMap } from "../../objects/selects.js";
import { nodeOf } from "../pods/node-of.js";
import { claim, keysOfOwner, splitKey } from "../pods/owned-pods.js";
import { createPodControl } from "../pods/pod-control.js";
import { availableIn, compareAge, isActive, isReady, phaseOf, podOf } from "../pods/pods.js";
import { templateHash } from "../pods/template-hash.js";
import type { Controller, Reconciled } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { writeIfChanged } from "../runtime/write-status.js";

const storage = "daemonsets.apps";
const hashLabel = "controller-revision-hash";
const generationLabel = "pod-template-generation";
const generationAnnotation = "deprecated.daemonset.template.generation";

/**
 * Keeps one pod of each DaemonSet on every Node that its node selector matches; taints are ignored. Pods of an older
 * template are replaced one at a time.
 */
export function createDaemonSetController(parts: ControllerParts): Controller {
  const { server, writer } = parts;
  const podControl = createPodControl(parts, "daemonset-controller");

  const reconcile = (key: string): Reconciled => {
    const set = writer.get(storage, ...splitKey(key));
    if (set === undefined) {
      return undefined;
    }
    const pods = claim(parts, set, "pods");
    const chosen = getPath(set, "spec", "template", "spec", "nodeSelector");
    const nodes = writer
      .list("nodes", "")
      .filter((node) => chosen === undefined || selectsByMap(chosen, node))
      .map(({ metadata }) => metadata.name ?? "");
    const hash = templateHash(mapOf(specOf(set)["template"]), 0);
    if (!isGoing(set)) {
      arrange(set, pods, nodes, hash);
    }
    writeStatus(set, nodes, hash);
    return undefined;
  };

  const arrange = (
    set: ApiObject,
    pods: readonly ApiObject[],
    nodes: readonly string[],
    hash: string,
  ) => {
    const remove = (pod: ApiObject) => podControl.delete(set, pod);
    const ended = (pod: ApiObject) => phaseOf(pod) === "Failed" || phaseOf(pod) === "Succeeded";
    for (const node of nodes) {
      const here = pods.filter((pod) => nodeOf(pod) === node).sort(compareAge);
      const [, ...more] = here.filter(isActive);
      [...more, ...here.filter((pod) => ended(pod) && !isGoing(pod))].forEach(remove);
      if (here.every((pod) => ended(pod))) {
        make(set, node, hash);
      }
    }
    pods.filter((pod) => !nodes.includes(nodeOf(pod)) && !isGoing(pod)).forEach(remove);
    const isRolling = getPath(set, "spec", "updateStrategy", "type") !== "OnDelete";
    const active = pods.filter(isActive);
    if (isRolling && active.length === nodes.length && active.every(isReady)) {
      const old = active.find((pod) => pod.metadata.labels?.[hashLabel] !== hash);
      if (old !== undefined) {
        remove(old);
      }
    }
  };

  const make = (set: ApiObject, node: string, hash: string) => {
    const pod = podOf(set);
    const generation = set.metadata.annotations?.[generationAnnotation] ?? "1";
    podControl.create(set, {
      ...pod,
      metadata: {
        ...pod.metadata,
        labels: { ...pod.metadata.labels, [hashLabel]: hash, [generationLabel]: generation },
      },
      spec: {
        ...specOf(pod),
        affinity: withNode(mapOf(specOf(pod)["affinity"]), node),
        tolerations: [...objectsOf(specOf(pod)["tolerations"]), ...tolerations],
      },
    });
  };

  const writeStatus = (set: ApiObject, nodes: readonly string[], hash: string) => {
    const pods = parts.index
      .ownedIn("pods", set.metadata.uid ?? "")
      .filter((pod) => isActive(pod) && nodes.includes(nodeOf(pod)));
    const now = server.clock.now();
    const minReadySeconds = Number(specOf(set)["minReadySeconds"] ?? 0);
    const available = pods.filter((pod) => availableIn(pod, minReadySeconds, now) === 0).length;
    const status: JsonObject = {
      currentNumberScheduled: pods.length,
      numberMisscheduled: 0,
      desiredNumberScheduled: nodes.length,
      numberReady: pods.filter(isReady).length,
      observedGeneration: set.metadata.generation,
      updatedNumberScheduled: pods.filter((pod) => pod.metadata.labels?.[hashLabel] === hash)
        .length,
      numberAvailable: available,
      numberUnavailable: nodes.length - available,
    };
    writeIfChanged(parts, storage, set, status);
  };

  return {
    name: "daemon-sets",
    follows: [storage, "pods", "nodes"],
    keysOf: (event, from) =>
      from === storage
        ? [event.key]
        : from === "pods"
          ? keysOfOwner(parts, event, { storage, kind: "DaemonSet" })
          : event.type === "MODIFIED" &&
              event.previous?.metadata.labels === event.object.metadata.labels
            ? []
            : server.store
                .collection(storage)
                .entries("")
                .map(([key]) => key),
    reconcile,
  };
}

function withNode(affinity: JsonObject, node: string): JsonObject {
  const matchFields = [{ key: "metadata.name", operator: "In", values: [node] }];
  return {
    ...affinity,
    nodeAffinity: {
      ...mapOf(affinity["nodeAffinity"]),
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
    },
  };
}

const tolerations: readonly JsonObject[] = [
  ["not-ready", "NoExecute"],
  ["unreachable", "NoExecute"],
  ["disk-pressure", "NoSchedule"],
  ["memory-pressure", "NoSchedule"],
  ["pid-pressure", "NoSchedule"],
  ["unschedulable", "NoSchedule"],
].map(([key, effect]) => ({ key: `node.kubernetes.io/${key}`, operator: "Exists", effect }));
