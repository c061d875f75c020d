import { rmSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiServer, startApiServerProcess } from "./api-server.js";
import { findAssets, type ServerAssets } from "./assets.js";
import { type Etcd, startEtcd } from "./etcd.js";
import { freePorts } from "./free-ports.js";
import { writeKubeconfig } from "./kubeconfig.js";
import { makeUsers, type UserName, type Users } from "./users.js";

/** How to start a real server. */
export interface RealServerOptions {
  /** Flags of kube-apiserver besides those that make it run; a later one wins. */
  readonly flags?: readonly string[];
  /** Milliseconds until each of the two programs must be ready. Default 30,000. */
  readonly timeoutMs?: number;
  /** Where the programs are. Default: {@link findAssets}. */
  readonly assets?: ServerAssets;
}

/** What `connect` needs to reach a real server. */
export interface RealServerConnection {
  readonly server: string;
  readonly token: string;
  readonly ca: string;
}

/** Gates that are off by default and that TypeKube speaks to. */
const featureGates = "--feature-gates=CBORServingAndStorage=true,ShardedListAndWatch=true";

/**
 * Starts a kube-apiserver with an etcd of its own, or gives `undefined` where the programs are missing (one line on the
 * console says so).
 *
 * @example
 * await using server = await startRealServer();
 * const client = await connect(server.connectOptions());
 */
export async function startRealServer(
  options: RealServerOptions = {},
): Promise<RealServer | undefined> {
  const assets = options.assets ?? (await findAssets());
  if (assets === undefined) {
    return undefined;
  }
  try {
    return await RealServer.start(assets, options);
  } catch (error) {
    // Somebody may have taken a port between our asking for it and the program's listening.
    if (!/address already in use/.test(String(error))) {
      throw error;
    }
    return RealServer.start(assets, options);
  }
}

/** A kube-apiserver and its etcd. Closing it ends both and removes their data. */
export class RealServer implements AsyncDisposable {
  readonly #folder: string;
  readonly #users: Users;
  readonly #startEtcd: () => Promise<Etcd>;
  readonly #startApiServer: () => Promise<ApiServer>;
  readonly #forget: () => void;
  #etcd: Etcd;
  #apiServer: ApiServer;

  private constructor(parts: {
    readonly folder: string;
    readonly users: Users;
    readonly etcd: Etcd;
    readonly apiServer: ApiServer;
    readonly startEtcd: () => Promise<Etcd>;
    readonly startApiServer: () => Promise<ApiServer>;
    readonly forget: () => void;
  }) {
    this.#folder = parts.folder;
    this.#users = parts.users;
    this.#etcd = parts.etcd;
    this.#apiServer = parts.apiServer;
    this.#startEtcd = parts.startEtcd;
    this.#startApiServer = parts.startApiServer;
    this.#forget = parts.forget;
  }

  /** Starts both programs; leaves nothing behind when one of them does not come up. */
  static async start(assets: ServerAssets, options: RealServerOptions): Promise<RealServer> {
    const { timeoutMs = 120_000, flags = [] } = options;
    const folder = await mkdtemp(join(tmpdir(), "typekube-real-server-"));
    const forget = () => rmSync(folder, { recursive: true, force: true });
    process.on("exit", forget);
    let etcd: Etcd | undefined;
    try {
      const users = await makeUsers(folder);
      const [port = 0, etcdPort = 0, peerPort = 0] = await freePorts(3);
      const startOwnEtcd = () => startEtcd(assets, { folder, port: etcdPort, peerPort, timeoutMs });
      const running = await startOwnEtcd();
      etcd = running;
      const startApiServer = () =>
        startApiServerProcess(assets, {
          folder,
          port,
          etcdUrl: running.url,
          users,
          flags: [featureGates, ...flags],
          timeoutMs,
        });
      const apiServer = await startApiServer();
      const start = { startEtcd: startOwnEtcd, startApiServer };
      return new RealServer({ folder, users, etcd, apiServer, ...start, forget });
    } catch (error) {
      await etcd?.process.kill();
      process.off("exit", forget);
      forget();
      throw error;
    }
  }

  /** URL of the API server. */
  get url(): string {
    return this.#apiServer.url;
  }

  /** What `connect` needs. `viewer` is known to the server and may do nothing. */
  connectOptions(user: UserName = "admin"): RealServerConnection {
    const { url, ca } = this.#apiServer;
    return { server: url, token: this.#users.tokens[user], ca };
  }

  /** Writes a kubeconfig with mode 0600. */
  async kubeconfig(path: string, user: UserName = "admin"): Promise<void> {
    await writeKubeconfig(path, { ...this.connectOptions(user), user });
  }

  /** Makes every version until now too old (410). Etcd alone is not enough: the API server still knows them. */
  async compact(): Promise<void> {
    await this.#etcd.compact();
    await this.restart();
  }

  /** Makes a stored object something that the API server cannot read. While it is there, the server cannot start anew. */
  async corrupt(resource: string, namespace: string, name: string): Promise<void> {
    await this.#etcd.put(`/registry/${resource}/${namespace}/${name}`, "no object at all");
  }

  /** Ends the API server as a crash would and starts it with the same flags, port and data. */
  async restart(): Promise<void> {
    await this.#apiServer.process.kill();
    this.#apiServer = await this.#startApiServer();
  }

  /** Keeps everything that is stored, for {@link restore}. Both programs are started anew. */
  async backUp(): Promise<void> {
    await this.#offline((data, backup) => cp(data, backup, { recursive: true }));
  }

  /** Goes back to what was stored at {@link backUp}, versions too. Both programs are started anew. */
  async restore(): Promise<void> {
    await this.#offline(async (data, backup) => {
      await rm(data, { recursive: true });
      await cp(backup, data, { recursive: true });
    });
  }

  async #offline(work: (data: string, backup: string) => Promise<void>): Promise<void> {
    await this.#apiServer.process.kill();
    await this.#etcd.process.kill();
    await work(join(this.#folder, "etcd"), join(this.#folder, "backup"));
    this.#etcd = await this.#startEtcd();
    this.#apiServer = await this.#startApiServer();
  }

  /** The API server keeps its connections and answers nothing until {@link resume}. */
  pause(): Promise<void> {
    return this.#apiServer.process.pause();
  }

  /** Asks the API server to end. With `--shutdown-delay-duration` it answers for that long, and says that it is not ready. */
  drain(): void {
    this.#apiServer.process.terminate();
  }

  resume(): void {
    this.#apiServer.process.resume();
  }

  /** Where the data of both programs is. */
  get folder(): string {
    return this.#folder;
  }

  /** Ends everything and removes the data. Can be called again. SIGTERM would drain for a minute, so it is SIGKILL. */
  async close(): Promise<void> {
    await this.#apiServer.process.kill();
    await this.#etcd.process.kill();
    process.off("exit", this.#forget);
    this.#forget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
