import type { ApiObject } from "../../objects/api-object.js";
import { controllerOf, isGoing, withoutFinalizer } from "../../objects/owner-references.js";
import { specOf } from "../../objects/parts.js";
import { selects } from "../../objects/selects.js";
import { splitKey } from "../pods/owned-pods.js";
import type { Controller } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { trackingFinalizer } from "./job-pods.js";

const storage = "jobs.batch";

/**
 * Releases pods whose Job is gone: no Job counts them any more, so the tracking finalizer would block their deletion
 * indefinitely.
 */
export function createOrphanPodController({ index, writer }: ControllerParts): Controller {
  /** Returns whether a Job counts the pod, or will adopt it. */
  const isTracked = (pod: ApiObject): boolean => {
    const { namespace = "" } = pod.metadata;
    const owner = controllerOf(pod);
    if (owner !== undefined) {
      const job = writer.get(storage, namespace, owner.name);
      return owner.kind === "Job" && job?.metadata.uid === owner.uid;
    }
    return writer
      .list(storage, namespace)
      .some((job) => !isGoing(job) && selects(specOf(job)["selector"], pod));
  };

  return {
    name: "orphan-pods-of-jobs",
    follows: [storage, "pods"],
    *keysOf({ key, object, type }, from) {
      if (from === "pods" && type !== "DELETED" && isHeld(object)) {
        yield key;
      }
      if (from === storage && type === "DELETED") {
        for (const pod of index.ownedIn("pods", object.metadata.uid ?? "")) {
          yield `${pod.metadata.namespace}/${pod.metadata.name}`;
        }
      }
    },
    reconcile(key) {
      const pod = writer.get("pods", ...splitKey(key));
      if (pod !== undefined && isHeld(pod) && !isTracked(pod)) {
        writer.update("pods", withoutFinalizer(pod, trackingFinalizer));
      }
      return undefined;
    },
  };
}

function isHeld({ metadata }: ApiObject): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) === true;
}
