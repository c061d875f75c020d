import type { Live } from "@typekube/api";
import type { ContainerStatus, Pod } from "@typekube/api/core/v1";
import type { StagePatch } from "./stage.js";

type Statuses = StagePatch<NonNullable<Pod["status"]>>;

/** Returns `true` when ephemeral containers were added to a running pod and have no status. */
export function hasNewEphemeral(pod: Live<Pod>): boolean {
  return pod.status?.phase === "Running" && added(pod).length > 0;
}

/** Returns `true` when ephemeral containers of a running pod run. */
export function hasRunningEphemeral({ status }: Live<Pod>): boolean {
  return (
    status?.phase === "Running" &&
    (status.ephemeralContainerStatuses ?? []).some(({ state }) => state?.running)
  );
}

/** Returns the statuses after the new ephemeral containers have started. */
export function startedEphemeral(pod: Live<Pod>, now: string): Statuses {
  const running = added(pod).map(
    ({ name, image = "" }): ContainerStatus => ({
      name,
      image,
      imageID: image,
      ready: false,
      restartCount: 0,
      state: { running: { startedAt: now } },
    }),
  );
  return {
    ephemeralContainerStatuses: [...(pod.status?.ephemeralContainerStatuses ?? []), ...running],
  };
}

/** Returns the statuses after the running ephemeral containers have exited with code 0. */
export function endedEphemeral({ status }: Live<Pod>, now: string): Statuses {
  return {
    ephemeralContainerStatuses: (status?.ephemeralContainerStatuses ?? []).map((container) => {
      const { running } = container.state ?? {};
      const times = { startedAt: running?.startedAt ?? now, finishedAt: now };
      const terminated = { exitCode: 0, reason: "Completed", ...times };
      return running === undefined ? container : { ...container, state: { terminated } };
    }),
  };
}

function added({ spec, status }: Live<Pod>) {
  const known = new Set((status?.ephemeralContainerStatuses ?? []).map(({ name }) => name));
  return (spec?.ephemeralContainers ?? []).filter(({ name }) => !known.has(name));
}
