import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Pod } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import type { PodCalls } from "@typekube/client";
import {
  type FileContainer,
  type FileContainerOptions,
  fileContainer,
} from "@typekube/test-support/file-container";
import { connect } from "typekube";

/** A pod with files, and a local folder. */
export interface FilePod extends AsyncDisposable {
  readonly pod: PodCalls;
  readonly container: FileContainer;
  /** A local folder. */
  readonly local: string;
}

/** Options of the pod. */
export interface FilePodOptions extends FileContainerOptions {
  /** Called with each connection of the client, once the client's first bytes have come. */
  readonly onConnection?: (sockets: ProxiedConnection) => void;
  /** Subprotocol that the server knows. Default v5. */
  readonly protocol?: "v4" | "v5";
}

/** A connection through the proxy in front of the server. */
export interface ProxiedConnection {
  /** Request line and headers. */
  readonly head: string;
  readonly client: Socket;
  readonly server: Socket;
}

/** Starts a server with a pod whose commands run on this machine, in a folder. */
export async function filePod(options: FilePodOptions = {}): Promise<FilePod> {
  const container = await fileContainer(options);
  const local = await mkdtemp(join(tmpdir(), "typekube-local-"));
  const api = await startApiServer({ pods: { exec: container.exec } });
  const { server } = await api.listen({ tls: false, anonymous: true });
  const proxy = await startProxy(Number(new URL(server).port), options);
  const client = await connect({ server: proxy.url });
  const pods = client.resource(Pod, "default");
  await pods.create({
    metadata: { name: "web-0" },
    spec: { containers: [{ name: "main", image: "x" }] },
  });
  return {
    pod: pods.named("web-0"),
    container,
    local,
    async [Symbol.asyncDispose]() {
      await client.close();
      proxy.close();
      await api.close();
      await container[Symbol.asyncDispose]();
      await rm(local, { recursive: true, force: true });
    },
  };
}

async function startProxy(port: number, { onConnection, protocol = "v5" }: FilePodOptions) {
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connectSocket(port, "127.0.0.1");
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    }
    client.once("data", (first: Buffer) => {
      const head = first.toString("latin1");
      const sent = protocol === "v4" ? head.replace("v5.channel.k8s.io, ", "") : head;
      server.write(Buffer.from(sent, "latin1"));
      client.pipe(server);
      server.pipe(client);
      onConnection?.({ head, client, server });
    });
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close() {
      proxy.close();
      for (const socket of sockets) {
        socket.destroy();
      }
    },
  };
}

/**
 * Returns the files below a folder: each path with its content, directories with `null`. Links to directories are not
 * followed, and have `null`, too.
 */
export async function treeOf(folder: string, prefix = ""): Promise<Record<string, string | null>> {
  const tree: Record<string, string | null> = {};
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const [path, name] = [join(folder, entry.name), `${prefix}${entry.name}`];
    tree[name] = (await stat(path)).isFile() ? await readFile(path, "utf8") : null;
    if (entry.isDirectory()) {
      Object.assign(tree, await treeOf(path, `${name}/`));
    }
  }
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes files into a folder; `null` is a directory. */
export async function put(
  folder: string,
  files: Readonly<Record<string, string | null>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const full = join(folder, path);
    await mkdir(content === null ? full : dirname(full), { recursive: true });
    if (content !== null) {
      await writeFile(full, content);
    }
  }
}

/** Files of most tests. */
export const tree = { "dir/a.txt": "a", "dir/sub/b.txt": "bb", "dir/empty": null, "one.txt": "1" };
