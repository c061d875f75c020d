import { StatusError } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { ControllerParts } from "../runtime/controller-parts.js";

/**
 * Creates and deletes the pods of an owner and records Events about it, like the shared pod control of the real
 * controllers.
 */
export interface PodControl {
  /** @throws {StatusError} when the server rejects the pod. */
  create(owner: ApiObject, pod: ApiObject): void;
  delete(owner: ApiObject, pod: ApiObject): void;
}

/**
 * Creates the pod control of one controller.
 *
 * @param component - source component of its Events.
 */
export function createPodControl(
  { writer, events }: Pick<ControllerParts, "events" | "writer">,
  component: string,
): PodControl {
  return {
    create(owner, pod) {
      try {
        const { metadata } = writer.create("pods", pod);
        const message = `Created pod: ${metadata.name}`;
        events.record(owner, { reason: "SuccessfulCreate", message }, { component });
      } catch (error) {
        if (error instanceof StatusError) {
          const message = `Error creating: ${error.message}`;
          events.record(owner, { type: "Warning", reason: "FailedCreate", message }, { component });
        }
        throw error;
      }
    },
    delete(owner, pod) {
      writer.delete("pods", pod, { uid: pod.metadata.uid });
      const message = `Deleted pod: ${pod.metadata.name}`;
      events.record(owner, { reason: "SuccessfulDelete", message }, { component });
    },
  };
}
