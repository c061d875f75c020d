import type { Live } from "@typekube/api";
import { type ContainerStatus, Pod } from "@typekube/api/core/v1";
import type { CallOptions, ClientCore } from "@typekube/client";
import { loadLogs } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { waitFor } from "@typekube/informer";

/** Milliseconds to wait for a container. (kubectl `--pod-running-timeout`: 1 min) */
const defaultTimeoutMs = 60_000;

/**
 * Waits until a container of a pod runs.
 *
 * @throws {KubeError} `InvalidState` for one that has ended and does not start again; `DeadlineExceeded`.
 */
export async function untilRunning(
  client: ClientCore,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  container: string | undefined,
  { signal, timeoutMs = defaultTimeoutMs }: CallOptions,
): Promise<void> {
  const { containerInstance } = await loadLogs();
  const condition = (pod: Live<Pod> | undefined) => {
    if (pod === undefined) {
      return false;
    }
    const instance = container === undefined ? undefined : containerInstance(pod, container);
    if (instance?.ended !== undefined && !instance.runsAgain) {
      const { exitCode } = instance.ended;
      throw new KubeError(
        "InvalidState",
        `the container ${container} of the pod ${name} has ended, and does not run again (exit code ${exitCode})`,
      );
    }
    return runs(pod, container);
  };
  await waitFor(client, Pod, name, condition, { namespace, signal, timeoutMs });
}

function runs(pod: Live<Pod>, name: string | undefined): boolean {
  const { status, metadata } = pod;
  if (status?.phase === "Succeeded" || status?.phase === "Failed") {
    throw new KubeError("InvalidState", `the pod ${metadata.name} has ended: ${status.phase}`);
  }
  const statuses: readonly ContainerStatus[] = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
  return statuses.some((one) => one.name === (name ?? one.name) && one.state?.running);
}
