import type { ApiObject } from "../../objects/api-object.js";
import { controllerOf, isGoing } from "../../objects/owner-references.js";
import { specOf } from "../../objects/parts.js";
import { selects } from "../../objects/selects.js";
import type { StoreEvent } from "../../store/history.js";
import { splitKey } from "../pods/owned-pods.js";
import type { Controller } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { jobStorage } from "./job-outcome.js";
import { isTracked, releasePod } from "./job-pods.js";

/**
 * Releases pods whose Job is gone: no Job counts them any more, so the tracking finalizer would block their deletion
 * indefinitely.
 */
export function createOrphanPodController(context: ControllerParts): Controller {
  return {
    name: "orphan-pods-of-jobs",
    follows: [jobStorage, "pods"],
    keysOf: (event, storage) => keysOf(context, event, storage),
    reconcile(key) {
      const pod = context.writer.get("pods", ...splitKey(key));
      if (pod !== undefined && isTracked(pod) && !hasJob(context, pod)) {
        releasePod(context, pod);
      }
      return undefined;
    },
  };
}

function* keysOf(
  { index }: ControllerParts,
  { key, object, type }: StoreEvent,
  storage: string,
): Iterable<string> {
  if (storage === "pods" && type !== "DELETED" && isTracked(object)) {
    yield key;
  }
  if (storage === jobStorage && type === "DELETED") {
    for (const pod of index.ownedIn("pods", object.metadata.uid ?? "")) {
      yield `${pod.metadata.namespace}/${pod.metadata.name}`;
    }
  }
}

/** Returns whether a Job counts the pod, or will adopt it. */
function hasJob({ writer }: ControllerParts, pod: ApiObject): boolean {
  const { namespace = "" } = pod.metadata;
  const owner = controllerOf(pod);
  if (owner !== undefined) {
    const job = writer.get(jobStorage, namespace, owner.name);
    return owner.kind === "Job" && job?.metadata.uid === owner.uid;
  }
  return writer
    .list(jobStorage, namespace)
    .some((job) => !isGoing(job) && selects(specOf(job)["selector"], pod));
}
