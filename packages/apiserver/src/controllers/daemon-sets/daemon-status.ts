import type { ApiObject } from "../../objects/api-object.js";
import { specOf } from "../../objects/parts.js";
import { nodeOf } from "../pods/node-of.js";
import { availableIn, isActive, isReady } from "../pods/pods.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { writeIfChanged } from "../runtime/write-status.js";
import { hashLabel } from "./daemon-pod.js";

export const daemonStorage = "daemonsets.apps";

/** Writes the status of a DaemonSet by its current pods. */
export function writeDaemonStatus(
  context: ControllerParts,
  set: ApiObject,
  nodes: readonly string[],
  hash: string,
): void {
  const { server, index } = context;
  const pods = index
    .ownedIn("pods", set.metadata.uid ?? "")
    .filter((pod) => isActive(pod) && nodes.includes(nodeOf(pod)));
  const now = server.clock.now();
  const minReadySeconds = Number(specOf(set)["minReadySeconds"] ?? 0);
  const available = pods.filter((pod) => availableIn(pod, minReadySeconds, now) === 0).length;
  writeIfChanged(context, daemonStorage, set, {
    currentNumberScheduled: pods.length,
    numberMisscheduled: 0,
    desiredNumberScheduled: nodes.length,
    numberReady: pods.filter(isReady).length,
    observedGeneration: set.metadata.generation,
    updatedNumberScheduled: pods.filter((pod) => pod.metadata.labels?.[hashLabel] === hash).length,
    numberAvailable: available,
    numberUnavailable: nodes.length - available,
  });
}
