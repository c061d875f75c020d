import type { Live } from "@typekube/api";
import { type ContainerStatus, Pod } from "@typekube/api/core/v1";
import type { CallOptions, ClientCore } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { waitFor } from "@typekube/informer";
import { assertMayStart, describeWaiting, hasStarted, statusOf } from "./container-status.js";

/** Milliseconds in which a container must start. (kubectl `--pod-running-timeout`: 1 min) */
const startWithinMs = 60_000;
/** Milliseconds in which the node must state the exit code of a process that has ended. */
const exitCodeWithinMs = 60_000;

/** One container of one pod. */
export interface ContainerIdentity {
  readonly namespace: string;
  /** Name of the pod. */
  readonly pod: string;
  /** UID of the pod: another pod of its name is not meant. */
  readonly uid: string;
  readonly container: string;
}

/**
 * Waits until a container runs or has ended.
 *
 * @throws {KubeError} `NeverMet` with the node's reason when it cannot start, or its pod is gone; `DeadlineExceeded` with
 * what the pod waits for.
 */
export async function untilStarted(
  client: ClientCore,
  identity: ContainerIdentity,
  { signal, timeoutMs = startWithinMs }: CallOptions,
): Promise<ContainerStatus> {
  const { container } = identity;
  return untilStatus(client, identity, { signal, timeoutMs }, "started", (pod) => {
    if (hasStarted(pod, container)) {
      return true;
    }
    assertMayStart(pod, container);
    return false;
  });
}

/**
 * Waits until a container has ended.
 *
 * @returns its exit code.
 * @throws {KubeError} `NeverMet` when its pod is gone before; `DeadlineExceeded`.
 */
export async function untilEnded(
  client: ClientCore,
  identity: ContainerIdentity,
  { signal, timeoutMs = exitCodeWithinMs }: CallOptions,
): Promise<number> {
  const { container } = identity;
  const status = await untilStatus(client, identity, { signal, timeoutMs }, "ended", (pod) => {
    const isOver = statusOf(pod, container)?.state?.terminated !== undefined;
    if (!isOver && pod.status?.phase === "Failed") {
      const { reason = "Failed", message = "" } = pod.status;
      throw new KubeError("NeverMet", `the pod ${identity.pod} has failed: ${reason} ${message}`);
    }
    return isOver;
  });
  return status.state?.terminated?.exitCode ?? 0;
}

async function untilStatus(
  client: ClientCore,
  { namespace, pod: name, uid, container }: ContainerIdentity,
  options: CallOptions,
  what: "ended" | "started",
  holds: (pod: Live<Pod>) => boolean,
): Promise<ContainerStatus> {
  let wasSeen = false;
  let found: ContainerStatus | undefined;
  const condition = Object.assign(
    (pod: Live<Pod> | undefined) => {
      // A first list may be older than the pod.
      if (pod?.metadata.uid !== uid && (wasSeen || pod !== undefined)) {
        throw new KubeError(
          "NeverMet",
          `the pod ${name} was deleted before its container had ${what}`,
        );
      }
      wasSeen = pod !== undefined;
      if (pod === undefined || !holds(pod)) {
        return false;
      }
      found = statusOf(pod, container);
      return true;
    },
    {
      description: `the container ${container} has ${what}`,
      seen: (pod: Live<Pod>) => describeWaiting(pod, container),
    },
  );
  const { signal, timeoutMs } = options;
  // As with other calls, 0 is no limit.
  const limit = { signal, timeoutMs: timeoutMs || Number.POSITIVE_INFINITY };
  await waitFor(client, Pod, name, condition, { namespace, ...limit });
  // The condition was met by this status.
  return found as ContainerStatus;
}
