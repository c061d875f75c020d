import type { Live } from "@typekube/api";
import type { Pod } from "@typekube/api/core/v1";
import type { StageEvent } from "./stage.js";

/** Returns the Event of a scheduler that assigned a node. */
export function scheduled({ metadata }: Live<Pod>, node: string): StageEvent {
  return {
    reason: "Scheduled",
    message: `Successfully assigned ${metadata.namespace}/${metadata.name} to ${node}`,
    component: "default-scheduler",
  };
}

/** Returns the Events of a kubelet that starts a pod's containers; their images are already present. */
export function started(pod: Live<Pod>): StageEvent[] {
  return (pod.spec?.containers ?? []).flatMap(({ name, image = "" }) =>
    [
      ["Pulled", `Container image ${JSON.stringify(image)} already present on machine`],
      ["Created", "Container created"],
      ["Started", "Container started"],
    ].map(([reason = "", message = ""]) => ofContainer(pod, name, reason, message)),
  );
}

/** Returns the Events of a kubelet that stops a pod's running containers. */
export function stopped(pod: Live<Pod>): StageEvent[] {
  return (pod.status?.containerStatuses ?? [])
    .filter(({ state }) => state?.running !== undefined)
    .map(({ name }) => ofContainer(pod, name, "Killing", `Stopping container ${name}`));
}

function ofContainer(
  { spec }: Live<Pod>,
  container: string,
  reason: string,
  message: string,
): StageEvent {
  const host = spec?.nodeName;
  return {
    reason,
    message,
    fieldPath: `spec.containers{${container}}`,
    ...(host === undefined ? {} : { host }),
  };
}
