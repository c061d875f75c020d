import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect as connectSocket } from "node:net";
import type { KubeObject } from "@typekube/api";
import { Pod } from "@typekube/api/core/v1";
import { type ApiServer, type PodHandlers, startApiServer } from "@typekube/apiserver";
import { authority } from "@typekube/test-support/certificates";
import { type Client, connect, mergePatch } from "typekube";

/** Servers and clients that a test has open, the newest last. */
export const opened: { close(): Promise<unknown> }[] = [];

export async function closeAll(): Promise<void> {
  for (const one of opened.splice(0).reverse()) {
    await one.close();
  }
}

/** Starts an HTTP server that plays the process behind a port. */
export async function backend(listener: RequestListener, isTls = false): Promise<Server> {
  const server = isTls
    ? createTlsServer(await serverCertificate(), listener)
    : createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push({
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return server;
}

async function serverCertificate() {
  await using ca = await authority();
  return await ca.server();
}

/** Serves a port with the process that listens on a local one. */
export function served(server: Server): NonNullable<PodHandlers["portForward"]> {
  return async ({ data, write, signal }) => {
    const socket = connectSocket((server.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => {});
    signal.addEventListener("abort", () => socket.destroy(), { once: true });
    const sending = (async () => {
      for await (const chunk of data) {
        socket.write(chunk);
      }
      socket.end();
    })();
    for await (const chunk of socket) {
      await write(chunk as Buffer);
    }
    await Promise.race([sending, once(socket, "close")]);
  };
}

export type Access = "http" | "https" | "in process";

/** Starts an API server with the pod and Service `web` and the node `one`, all of them served by `pods`. */
export async function startProxied(
  pods: PodHandlers,
  access: Access = "http",
): Promise<{ readonly api: ApiServer; readonly client: Client; readonly server: string }> {
  const api = await startApiServer({ pods });
  opened.push(api);
  const tls = access === "https";
  const listener = await api.listen(tls ? {} : { tls: false, anonymous: true });
  const client =
    access === "in process"
      ? await api.client()
      : await connect(tls ? listener.connectOptions() : { server: listener.server });
  opened.push(client);
  const objects: readonly (KubeObject & Record<string, unknown>)[] = [
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web", namespace: "default", labels: { app: "web" } },
      spec: {
        containers: [{ name: "main", image: "x", ports: [{ name: "http", containerPort: 8080 }] }],
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", namespace: "default" },
      spec: { selector: { app: "web" }, ports: [{ name: "web", port: 80, targetPort: "http" }] },
    },
    { apiVersion: "v1", kind: "Node", metadata: { name: "one" } },
  ];
  await api.load(objects);
  const status = {
    phase: "Running",
    podIP: "10.0.0.7",
    conditions: [{ type: "Ready", status: "True" }],
  };
  await client.resource(Pod, "default").status.patch("web", mergePatch({ status }));
  return { api, client, server: listener.server };
}
