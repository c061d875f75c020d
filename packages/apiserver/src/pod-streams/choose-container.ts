import { badRequest } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { getPath, isJsonObject } from "../objects/json-value.js";

/**
 * Returns the container of a request: the one it names, or the pod's only one.
 *
 * @throws {StatusError} 400 with the messages of real servers.
 */
export function chooseContainer(pod: ApiObject, requested: string): string {
  const lists = ["initContainers", "containers", "ephemeralContainers"];
  const names = lists.flatMap((list) => {
    const containers = getPath(pod, "spec", list);
    return (Array.isArray(containers) ? containers : [])
      .filter(isJsonObject)
      .map(({ name }) => String(name));
  });
  const podName = pod.metadata.name ?? "";
  if (requested !== "") {
    if (!names.includes(requested)) {
      throw badRequest(`container ${requested} is not valid for pod ${podName}`);
    }
    return requested;
  }
  const [only, ...more] = names;
  if (only === undefined || more.length > 0) {
    throw badRequest(
      `a container name must be specified for pod ${podName}, choose one of: [${names.join(" ")}]`,
    );
  }
  return only;
}
