import { Pod } from "@typekube/api/core/v1";
import { type ApiServerOptions, startApiServer } from "@typekube/apiserver";
import type { PodCalls } from "@typekube/client";
import { type Client, connect } from "typekube";
import { onTestFinished } from "vitest";

/**
 * Starts a server with the pod `web-0` of the containers `side` and `main`, the default one, and a client over sockets
 * or in process. Both are closed when the test ends.
 */
export async function twoContainerPod(
  options: ApiServerOptions,
  path: "in process" | "sockets" = "sockets",
) {
  const api = await startApiServer(options);
  onTestFinished(() => api.close());
  const client: Client =
    path === "sockets"
      ? await connect({ server: (await api.listen({ tls: false, anonymous: true })).server })
      : await api.client();
  onTestFinished(() => client.close());
  const pods = client.resource(Pod, "default");
  await pods.create({
    metadata: {
      name: "web-0",
      annotations: { "kubectl.kubernetes.io/default-container": "main" },
    },
    spec: {
      containers: [
        { name: "side", image: "x" },
        { name: "main", image: "x" },
      ],
    },
  });
  const pod: PodCalls = pods.named("web-0");
  return { api, client, pods, pod };
}
