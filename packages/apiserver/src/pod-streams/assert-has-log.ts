import { badRequest } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { getPath, isJsonObject } from "../objects/json-value.js";

const statusLists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];

/** Messages of the kubelet about images that it cannot pull. */
const imageProblems: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: "trying and failing to pull image",
};

/**
 * Refuses the log of a container that has none, as the kubelet does (`validateContainerLogStatus`). Without a status of
 * the container nothing is known, and the handler decides.
 *
 * @throws {StatusError} 400 with the kubelet's messages.
 */
export function assertHasLog(pod: ApiObject, container: string, isPrevious: boolean): void {
  const status = statusLists
    .flatMap((list) => getPath(pod, "status", list) ?? [])
    .filter(isJsonObject)
    .find(({ name }) => name === container);
  if (status === undefined) {
    return;
  }
  const { name: podName = "" } = pod.metadata;
  const hasPrevious = isJsonObject(getPath(status, "lastState", "terminated"));
  if (isPrevious) {
    if (!hasPrevious) {
      throw badRequest(
        `previous terminated container "${container}" in pod "${podName}" not found`,
      );
    }
    return;
  }
  const waiting = getPath(status, "state", "waiting");
  if (!hasPrevious && isJsonObject(waiting)) {
    const reason = String(waiting["reason"] ?? "ContainerCreating");
    const why = imageProblems[reason] ?? reason;
    throw badRequest(`container "${container}" in pod "${podName}" is waiting to start: ${why}`);
  }
}
