import { startApiServer } from "@typekube/apiserver";
import { type PodCalls, strategicPatch } from "@typekube/client";
import { type EmbeddedMainProcess, embeddedNode } from "@typekube/test-support/embedded-node";
import { startNode } from "@typekube/test-support/real-server/node";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { type Client, connect } from "typekube";
import { Pod } from "typekube/api/core/v1";

/** Containers whose processes run on this machine, behind an API server. The cases need nothing else of it. */
export interface PodSubject extends AsyncDisposable {
  readonly server: "embedded" | "real";
  readonly label: string;
  readonly client: Client;
  /** Node of the pods; `undefined` where pods need none. */
  readonly nodeName: string | undefined;
  /** Writes a kubeconfig of an administrator. */
  writeKubeconfig(path: string): Promise<void>;
  /** Starts the main process of a container. */
  start(pod: string, container: string, process: EmbeddedMainProcess): Promise<void>;
}

/** A case for calls into pods. */
export interface PodCase {
  /** Rows of the acceptance list. */
  readonly id: string;
  readonly name: string;
  run(context: PodContext): Promise<void>;
}

/** Context of a case. */
export interface PodContext extends Omit<PodSubject, typeof Symbol.asyncDispose> {
  /** The pod `web-0` with the init container `setup`, the containers `main` and `side`, and the ephemeral one `debug`. */
  readonly pod: PodCalls;
  /** Aborts when the case exceeds its time limit. */
  readonly signal: AbortSignal;
}

/** Starts the embedded server, whose handlers stand in for a node. */
export async function embeddedPods(): Promise<PodSubject> {
  const node = await embeddedNode();
  const api = await startApiServer({ pods: node.handlers, authorization: "RBAC" });
  const client = await api.client();
  return {
    server: "embedded",
    label: "embedded",
    client,
    nodeName: undefined,
    writeKubeconfig: async (path) => (await api.listen()).writeKubeconfig(path),
    start: node.start,
    async [Symbol.asyncDispose]() {
      await client.close();
      await api.close();
      await node[Symbol.asyncDispose]();
    },
  };
}

/** Starts a real kube-apiserver with a stand-in for a node; returns `undefined` when either is not available. */
export async function realPods(): Promise<PodSubject | undefined> {
  const server = await startRealServer();
  if (server === undefined) {
    return undefined;
  }
  const client = await connect(server.connectOptions());
  const node = await startNode(client);
  if (node === undefined) {
    await client.close();
    await server.close();
    return undefined;
  }
  return {
    server: "real",
    label: "real, on a stand-in for a node",
    client,
    nodeName: node.name,
    writeKubeconfig: (path) => server.kubeconfig(path),
    start: node.start,
    async [Symbol.asyncDispose]() {
      await client.close();
      await node[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

/** Creates the pod of the cases. */
export async function createPod({ client, nodeName }: PodSubject): Promise<PodCalls> {
  const pods = client.resource(Pod, "default");
  const container = (name: string) => ({ name, image: "none", stdin: true });
  await pods.create({
    metadata: { name: "web-0" },
    spec: {
      nodeName,
      initContainers: [container("setup")],
      containers: [
        { ...container("main"), ports: [{ name: "http", containerPort: 8080 }] },
        container("side"),
      ],
    },
  });
  const debug = { ...container("debug"), image: "none" };
  await pods.ephemeralcontainers.patch(
    "web-0",
    strategicPatch({ spec: { ephemeralContainers: [debug] } }),
  );
  return pods.named("web-0");
}
