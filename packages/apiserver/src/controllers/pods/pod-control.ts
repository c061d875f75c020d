import { StatusError } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import type { EventSource } from "../runtime/event-object.js";

type PodWriter = Pick<ControllerParts, "events" | "writer">;

/**
 * Creates a pod of an owner and records the success or failure as an Event of the owner, like the shared pod control of
 * the real controllers.
 *
 * @throws {StatusError} when the server rejects the pod.
 */
export function createOwnedPod(
  { writer, events }: PodWriter,
  owner: ApiObject,
  pod: ApiObject,
  source: EventSource,
): void {
  try {
    const { metadata } = writer.create("pods", pod);
    const message = `Created pod: ${metadata.name}`;
    events.record(owner, { reason: "SuccessfulCreate", message }, source);
  } catch (error) {
    if (error instanceof StatusError) {
      const message = `Error creating: ${error.message}`;
      events.record(owner, { type: "Warning", reason: "FailedCreate", message }, source);
    }
    throw error;
  }
}

/** Deletes a pod of an owner and records an Event of the owner. */
export function deleteOwnedPod(
  { writer, events }: PodWriter,
  owner: ApiObject,
  pod: ApiObject,
  source: EventSource,
): void {
  writer.delete("pods", pod, { uid: pod.metadata.uid });
  const message = `Deleted pod: ${pod.metadata.name}`;
  events.record(owner, { reason: "SuccessfulDelete", message }, source);
}
