import { rmSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ApiServer,
  type Etcd,
  freePorts,
  makeUsers,
  startApiServerProcess,
  startEtcd,
  type UserName,
  type Users,
  writeKubeconfig,
} from "@typekube/apiserver/envtest/internal";
import { findAssets, type ServerAssets } from "./assets.js";

/** Options of a real server. */
export interface RealServerOptions {
  /** Flags of kube-apiserver in addition to the required ones; a later flag wins. */
  readonly flags?: readonly string[];
  /** Milliseconds until each of the two programs must be ready. Default 120,000. */
  readonly timeoutMs?: number;
  /** Paths of the programs. Default: those that {@link findAssets} finds. */
  readonly assets?: ServerAssets;
}

/** Options with which `connect` reaches a real server. */
export interface RealServerConnection {
  readonly server: string;
  readonly token: string;
  readonly ca: string;
}

/** Feature gates that are off by default and that TypeKube supports. */
const featureGates = "--feature-gates=CBORServingAndStorage=true,ShardedListAndWatch=true";

/**
 * Starts a kube-apiserver with its own etcd. Returns `undefined` when the programs are missing, and logs one line about
 * it.
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
    // Another process may have taken a port between our choice and the program's listen.
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

  /** Starts both programs; leaves nothing behind when one of them fails to start. */
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

  /** Returns the options for `connect`. The server knows the `viewer`, who has no permissions. */
  connectOptions(user: UserName = "admin"): RealServerConnection {
    const { url, ca } = this.#apiServer;
    return { server: url, token: this.#users.tokens[user], ca };
  }

  /** Writes a kubeconfig with mode 0600. */
  async kubeconfig(path: string, user: UserName = "admin"): Promise<void> {
    await writeKubeconfig(path, { ...this.connectOptions(user), user });
  }

  /**
   * Expires all resourceVersions issued so far (410). Restarts the API server, whose cache would still have them after
   * etcd's compaction.
   */
  async compact(): Promise<void> {
    await this.#etcd.compact();
    await this.restart();
  }

  /**
   * Replaces a stored object with bytes that the API server cannot decode. While they are stored, the server cannot
   * restart.
   */
  async corrupt(resource: string, namespace: string, name: string): Promise<void> {
    await this.#etcd.put(`/registry/${resource}/${namespace}/${name}`, "no object at all");
  }

  /** Kills the API server, as a crash would, and starts it with the same flags, port and data. */
  async restart(): Promise<void> {
    await this.#apiServer.process.kill();
    this.#apiServer = await this.#startApiServer();
  }

  /** Saves all stored data for {@link restore}. Both programs are restarted. */
  async backUp(): Promise<void> {
    await this.#offline((data, backup) => cp(data, backup, { recursive: true }));
  }

  /** Restores the data saved by {@link backUp}, resourceVersions included. Both programs are restarted. */
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

  /** Suspends the API server, which keeps its connections and sends no response until {@link resume}. */
  pause(): Promise<void> {
    return this.#apiServer.process.pause();
  }

  /**
   * Sends SIGTERM to the API server. With `--shutdown-delay-duration` it keeps responding for that long, and reports
   * that it is not ready.
   */
  drain(): void {
    this.#apiServer.process.terminate();
  }

  resume(): void {
    this.#apiServer.process.resume();
  }

  /** Folder with the data of both programs. */
  get folder(): string {
    return this.#folder;
  }

  /** Ends both programs and removes the data. Idempotent. Uses SIGKILL, because SIGTERM would drain for a minute. */
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
