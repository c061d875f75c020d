import {
  type ApiServer,
  type ApiServerOptions,
  memoryContainers,
  type PodHandlers,
  type PodSession,
  startApiServer,
} from "@typekube/apiserver";
import { runPods, type Stage, stage } from "@typekube/apiserver/controllers";
import { type Client, mergePatch } from "typekube";
import { type ContainerStatus, Pod } from "typekube/api/core/v1";
import { expect, onTestFinished } from "vitest";

/** Milliseconds after which nothing ends by itself within a test. */
const neverMs = 3_600_000;

/** A server that runs pods, and its client. */
export interface StartedCluster {
  readonly api: ApiServer;
  readonly client: Client;
  podNames(): Promise<string[]>;
}

/** Options of {@link startedCluster}. */
export interface ClusterOptions extends Omit<ApiServerOptions, "pods" | "stages"> {
  /** Stages that come before those that run pods. */
  readonly stages?: readonly Stage[];
  /** Default: containers in memory, which end with the first session that is attached. */
  readonly pods?: PodHandlers;
  /** `false` leaves pods Pending. Default true. */
  readonly runsPods?: boolean;
  /** `true` lets containers without stdin run on. Default: they succeed. */
  readonly isEndless?: boolean;
}

/** Starts a server, which is closed with its client when the test ends. */
export async function startedCluster({
  stages = [],
  pods,
  runsPods = true,
  isEndless = false,
  ...options
}: ClusterOptions = {}): Promise<StartedCluster> {
  const running = runningPods(() => client, isEndless);
  const api = await startApiServer({
    pods: pods ?? running.pods,
    stages: [...stages, ...(runsPods ? running.stages : [])],
    ...options,
  });
  onTestFinished(() => api.close());
  const client: Client = await api.client({ namespace: "default" });
  onTestFinished(() => client.close());
  return {
    api,
    client,
    podNames: async () =>
      (await client.resource(Pod, "default").list()).items.map(({ metadata }) => metadata.name),
  };
}

/**
 * Returns options of a server that runs pods. Containers without stdin succeed at once, the others when the first session
 * that is attached to them ends.
 */
export function runningPods(
  client: () => Client,
  isEndless = false,
): { readonly pods: PodHandlers; readonly stages: readonly Stage[] } {
  const endsByItself = (pod: Pod) => !isEndless && !hasStdin(pod);
  const containers = memoryContainers();
  return {
    pods: {
      ...containers,
      async attach(session) {
        const code = await containers.attach(session);
        await endContainer(client(), session, code ?? 0);
        return code;
      },
    },
    stages: [
      ...runPods({ readyAfterMs: 0, completeAfterMs: 0, when: endsByItself }),
      ...runPods({
        readyAfterMs: 0,
        completeAfterMs: neverMs,
        when: (pod) => !endsByItself(pod),
      }),
    ],
  };
}

function hasStdin({ spec }: Pod): boolean {
  const all = [...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])];
  return all.some(({ stdin }) => stdin === true);
}

/** Writes the end of a container into the status of its pod, as a node does. */
export async function endContainer(
  client: Client,
  { name, namespace, container }: Pick<PodSession, "container" | "name" | "namespace">,
  exitCode: number,
): Promise<void> {
  const pods = client.resource(Pod, namespace);
  const { status } = await pods.get(name);
  const ended = (one: ContainerStatus): ContainerStatus =>
    one.name === container ? { ...one, state: { terminated: { exitCode } } } : one;
  const patch = mergePatch({
    status: {
      containerStatuses: (status?.containerStatuses ?? []).map(ended),
      ephemeralContainerStatuses: (status?.ephemeralContainerStatuses ?? []).map(ended),
    },
  });
  await pods.status.patch(name, patch as never);
}

/** A stage that gives the container of pods on a node this state, once. */
export function containerState(
  state: ContainerStatus["state"],
  phase: "Failed" | "Pending" | "Running",
): Stage {
  return stage(Pod, {
    when: ({ spec, status }) => Boolean(spec?.nodeName) && status?.containerStatuses === undefined,
    set: ({ spec }) => ({
      status: {
        phase,
        containerStatuses: (spec?.containers ?? []).map(({ name, image = "" }) => ({
          name,
          image,
          imageID: "",
          ready: false,
          restartCount: 0,
          state,
        })),
      },
    }),
  });
}

/** Waits until no pod is left. */
export async function noPodIsLeft(podNames: () => Promise<string[]>): Promise<void> {
  await expect.poll(podNames).toEqual([]);
}
