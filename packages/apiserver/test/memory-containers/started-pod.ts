import { type Container, Pod } from "@typekube/api/core/v1";
import { type ApiServerOptions, memoryContainers, startApiServer } from "@typekube/apiserver";
import type { PodCalls } from "@typekube/client";
import { onTestFinished } from "vitest";

/** Starts a server whose containers are in memory, with the pod `web` of one container. */
export async function startedPod(
  container: Partial<Container> = {},
  options: ApiServerOptions = { pods: memoryContainers() },
) {
  const api = await startApiServer(options);
  onTestFinished(() => api.close());
  const client = await api.client();
  onTestFinished(() => client.close());
  const pods = client.resource(Pod, "default");
  await pods.create({
    metadata: { name: "web" },
    spec: { containers: [{ name: "main", image: "nginx", ...container }] },
  });
  const pod: PodCalls = pods.named("web");
  return { api, client, pods, pod };
}
