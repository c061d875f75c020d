import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { mergePatch } from "@typekube/client";
import type { Client } from "typekube";
import { Node, Pod } from "typekube/api/core/v1";

/** Source of the program that stands in for a node. */
const source = fileURLToPath(new URL("../../../../test/real-server/node/", import.meta.url));

/** A main process of a container. */
export interface MainProcess {
  readonly command: readonly string[];
  readonly stdin?: boolean;
}

/**
 * A stand-in for a node: an API server reaches it like a kubelet, and its containers are processes of this machine. It
 * runs no pods by itself.
 */
export interface TestNode extends AsyncDisposable {
  readonly name: string;
  /** Protocols of the upgrades that reached the node, in order: `SPDY/3.1`, `websocket`. */
  upgrades(): Promise<readonly string[]>;
  /** Starts a main process, as a kubelet does for a container. One before becomes the previous instance. */
  start(pod: string, container: string, process: MainProcess): Promise<void>;
  /** Creates a pod of containers on the node, and sets its status as if they ran. */
  createPod(name: string, containers: readonly string[]): Promise<void>;
}

/** Options of a node. */
export interface TestNodeOptions {
  /** Default `node-1`. */
  readonly name?: string;
  /** Features in its status, by which an API server decides how it talks to the node. Default: none. */
  readonly declaredFeatures?: readonly string[];
}

/** Starts the node and registers it. Returns `undefined` where Go is missing, and logs one line about it. */
export async function startNode(
  client: Client,
  { name = "node-1", declaredFeatures = [] }: TestNodeOptions = {},
): Promise<TestNode | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "typekube-node-"));
  const program = join(folder, "node");
  try {
    await promisify(execFile)("go", ["build", "-o", program, "."], { cwd: source });
  } catch (error) {
    console.warn(`NO NODE: its program was not built with Go: ${String(error)}`);
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  const child = spawn(program, [], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(line.toString());
  await register(client, name, port, declaredFeatures);
  const pods = client.resource(Pod, "default");
  return {
    name,
    upgrades: async () => JSON.parse(await call(port, "GET", "/upgrades")) ?? [],
    start: async (pod, container, process) => {
      await call(port, "PUT", `/containers/default/${pod}/${container}`, JSON.stringify(process));
    },
    async createPod(pod, containers) {
      await pods.create({
        metadata: { name: pod },
        spec: {
          nodeName: name,
          containers: containers.map((one) => ({ name: one, image: "none", stdin: true })),
        },
      });
      const startedAt = new Date().toISOString();
      const containerStatuses = containers.map((one) => ({
        name: one,
        image: "none",
        imageID: "",
        ready: true,
        restartCount: 0,
        state: { running: { startedAt } },
      }));
      const conditions = [{ type: "Ready", status: "True" }];
      await pods.status.patch(
        pod,
        mergePatch({ status: { phase: "Running", containerStatuses, conditions } }) as never,
      );
    },
    async [Symbol.asyncDispose]() {
      await stop(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function register(
  client: Client,
  name: string,
  port: number,
  declaredFeatures: readonly string[],
): Promise<void> {
  const nodes = client.resource(Node);
  await nodes.create({ metadata: { name } });
  await nodes.status.patch(
    name,
    mergePatch({
      status: {
        // A host name would make the API server look it up.
        addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
        daemonEndpoints: { kubeletEndpoint: { Port: port } },
        conditions: [{ type: "Ready", status: "True" }],
        declaredFeatures,
      },
    }) as never,
  );
}

function call(port: number, method: string, path: string, body = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, method, rejectUnauthorized: false };
    const sent = request(options, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () =>
        response.statusCode === 200
          ? resolve(text)
          : reject(new Error(`the node answered ${response.statusCode}: ${text}`)),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) {
    const ended = once(child, "exit");
    child.stdin?.end();
    await ended;
  }
}
