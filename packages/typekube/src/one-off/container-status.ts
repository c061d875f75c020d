import type { Live } from "@typekube/api";
import type { ContainerStatus, Pod } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";

/**
 * Reasons for which a container waits and that nobody else resolves: the kubelet tries again, but with the same image and
 * the same pod.
 */
const hopeless: ReadonlySet<string> = new Set([
  "CreateContainerConfigError",
  "CreateContainerError",
  "ErrImageNeverPull",
  "ErrImagePull",
  "ImageInspectError",
  "ImagePullBackOff",
  "InvalidImageName",
  "RunContainerError",
]);

/** Returns the status of a container of any kind. */
export function statusOf({ status }: Pod, container: string): ContainerStatus | undefined {
  return allStatuses({ status }).find(({ name }) => name === container);
}

function allStatuses({ status }: Pod): readonly ContainerStatus[] {
  return [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
}

/** Returns `true` for a container that runs or has ended. */
export function hasStarted(pod: Pod, container: string): boolean {
  const { state } = statusOf(pod, container) ?? {};
  return state?.running !== undefined || state?.terminated !== undefined;
}

/**
 * Rejects a pod whose container will never start.
 *
 * @throws {KubeError} `NeverMet` with the reason and the message of the node.
 */
export function assertMayStart(pod: Live<Pod>, container: string): void {
  const { metadata, status } = pod;
  const where = `the container ${container} of the pod ${metadata.name} cannot start`;
  const own = statusOf(pod, container);
  const before = status?.initContainerStatuses ?? [];
  for (const { name, state } of own === undefined ? before : [own, ...before]) {
    const { reason = "", message } = state?.waiting ?? {};
    if (hopeless.has(reason)) {
      const of = name === container ? "" : `its init container ${name}: `;
      throw new KubeError("NeverMet", `${where}: ${of}${withMessage(reason, message)}`);
    }
  }
  if (status?.phase === "Succeeded" || status?.phase === "Failed") {
    const why = withMessage(status.reason ?? status.phase, status.message);
    throw new KubeError("NeverMet", `${where}, the pod has ended: ${why}`);
  }
}

/** Describes what a pod waits for, for the error of a wait that took too long. */
export function describeWaiting(pod: Pod, container: string): string {
  const { status } = pod;
  const { reason, message } = statusOf(pod, container)?.state?.waiting ?? {};
  const conditions = (status?.conditions ?? [])
    .filter((one) => one.status !== "True" && one.reason !== undefined)
    .map((one) => `${one.type} is ${one.status}: ${withMessage(one.reason ?? "", one.message)}`);
  const waiting =
    reason === undefined ? [] : [`${container} waits: ${withMessage(reason, message)}`];
  return [`phase ${status?.phase ?? "unknown"}`, ...waiting, ...conditions].join(", ");
}

function withMessage(reason: string, message: string | undefined): string {
  return message ? `${reason}: ${message}` : reason;
}
