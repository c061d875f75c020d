import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KubeError } from "@typekube/core";
import { assertOptions, integerFrom, type OptionTable, text } from "@typekube/core/internal";
import { type Client, type ConnectOptions, conditions, connect } from "typekube";
import { CustomResourceDefinition } from "typekube/api/apiextensions/v1";
import { type LoadSource, readLoadSource } from "../server/load.js";
import { startApiServerProcess } from "./api-server-process.js";
import { startEtcd } from "./etcd.js";
import { findPrograms, type Programs } from "./find-programs.js";
import { freePorts } from "./free-ports.js";
import { writeKubeconfig } from "./kubeconfig.js";
import { makeUsers } from "./users.js";

/** Options of {@link startEnvironment}. */
export interface EnvironmentOptions {
  /** Folder of kube-apiserver and etcd. Default: the environment variable `KUBEBUILDER_ASSETS`. */
  readonly assets?: string | undefined;
  /** Definitions and other manifests to install, as for the option `load` of `startApiServer`. Default: none. */
  readonly load?: LoadSource | undefined;
  /** Flags of kube-apiserver in addition to the required ones; a later flag wins. Default: none. */
  readonly flags?: readonly string[] | undefined;
  /** Milliseconds in which each program must be ready, and each definition established. Default 60,000. */
  readonly timeoutMs?: number | undefined;
}

/** Options with which `connect` reaches an environment. */
export type EnvironmentConnection = Required<Pick<ConnectOptions, "ca" | "server" | "token">>;

/** A kube-apiserver with its own etcd. Both listen on 127.0.0.1 only, and end with this process at the latest. */
export interface TestEnvironment extends AsyncDisposable {
  /** URL of the API server. */
  readonly url: string;
  /** Returns options for `connect`, for a user with all permissions. */
  connectOptions(): EnvironmentConnection;
  /** Connects as a user with all permissions. */
  client(options?: Pick<ConnectOptions, "namespace">): Promise<Client>;
  /** Writes a kubeconfig that only its owner can read. */
  writeKubeconfig(path: string): Promise<void>;
  /** Ends both programs and removes their data. Can be called repeatedly. */
  stop(): Promise<void>;
}

const defaultTimeoutMs = 60_000;
/** Attempts in total: another process may take a port before a program listens on it. */
const maxStarts = 2;

const environmentOptions: OptionTable<EnvironmentOptions> = {
  assets: text,
  flags: true,
  load: true,
  timeoutMs: integerFrom(1),
};

/**
 * Starts a real kube-apiserver and etcd, installs manifests and waits until definitions are established. It has no
 * controllers: Deployments create no pods, and nothing is garbage-collected. (controller-runtime's envtest)
 *
 * @example
 * ```ts
 * await using environment = await startEnvironment({ load: { path: "manifests/crd.yaml" } });
 * await using client = await environment.client();
 * ```
 *
 * @throws {KubeError} `Config` without the programs, `DeadlineExceeded` for a definition that is not established in time.
 */
export async function startEnvironment(options: EnvironmentOptions = {}): Promise<TestEnvironment> {
  assertOptions("startEnvironment()", options, environmentOptions);
  const { timeoutMs = defaultTimeoutMs, flags = [], load } = options;
  const programs = await findPrograms(options.assets);
  const environment = await startPrograms(programs, flags, timeoutMs);
  try {
    if (load !== undefined) {
      await install(environment, load, timeoutMs);
    }
    return environment;
  } catch (error) {
    await environment.stop();
    throw error;
  }
}

async function startPrograms(
  programs: Programs,
  flags: readonly string[],
  timeoutMs: number,
): Promise<TestEnvironment> {
  for (let starts = 1; ; starts++) {
    try {
      return await startOnce(programs, flags, timeoutMs);
    } catch (error) {
      if (starts === maxStarts || !/address already in use/.test(String(error))) {
        throw KubeError.from(error, "Config");
      }
    }
  }
}

async function startOnce(
  programs: Programs,
  flags: readonly string[],
  timeoutMs: number,
): Promise<TestEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), "typekube-envtest-"));
  const forget = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", forget);
  const started: { kill(): Promise<void> }[] = [];
  const stop = async () => {
    // SIGTERM would drain for a minute.
    for (const program of started.splice(0).reverse()) {
      await program.kill();
    }
    process.off("exit", forget);
    forget();
  };
  try {
    const users = await makeUsers(folder);
    const [port = 0, etcdPort = 0, peerPort = 0] = await freePorts(3);
    const etcd = await startEtcd(programs, { folder, port: etcdPort, peerPort, timeoutMs });
    started.push(etcd.process);
    const server = await startApiServerProcess(programs, {
      folder,
      port,
      etcdUrl: etcd.url,
      users,
      flags,
      timeoutMs,
    });
    started.push(server.process);
    const { url, ca } = server;
    const connection = { server: url, token: users.tokens.admin, ca };
    return {
      url,
      connectOptions: () => connection,
      client: (options = {}) => connect({ ...connection, ...options }),
      writeKubeconfig: (path) => writeKubeconfig(path, { ...connection, user: "admin" }),
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Applies manifests and waits until the definitions among them are established. */
async function install(
  environment: TestEnvironment,
  load: LoadSource,
  timeoutMs: number,
): Promise<void> {
  await using client = await environment.client();
  const applied = await client.applyAll(await readLoadSource(load), {
    fieldManager: "typekube-envtest",
  });
  const definitions = applied.filter(({ object }) => object.kind === "CustomResourceDefinition");
  for (const { object } of definitions) {
    await client.waitFor(
      CustomResourceDefinition,
      object.metadata.name,
      conditions.has("Established"),
      { timeoutMs },
    );
  }
}
