import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { KubeError } from "@typekube/core";
import type { ApiServer } from "../api-server/api-server.js";
import { startApiServer } from "../api-server/start-api-server.js";
import { runPods } from "../controllers/stages/run-pods.js";
import { memoryContainers } from "../pod-streams/memory-containers/memory-containers.js";
import { readManifests } from "../server/manifest-files.js";
import { exportCommands, type Shell } from "./export-command.js";
import { saveObjects } from "./save-objects.js";
import { readServeOptions, type ServeOptions, serveUsage, UsageProblem } from "./serve-options.js";

/** Environment in which the command runs. */
export interface ServeIo {
  /** Folder to which paths are relative. */
  readonly folder: string;
  write(text: string): void;
  writeError(text: string): void;
  /** Ends the server. Default: aborted by SIGINT and SIGTERM. */
  readonly signal?: AbortSignal | undefined;
  /** Shell for which commands are printed. Default: derived from this process's platform and environment. */
  readonly shell?: Shell | undefined;
}

/**
 * Runs the command `typekube serve`: an embedded API server with a listener and a kubeconfig, until it is ended.
 *
 * @returns the exit code: 2 for an invalid command line, 1 for a failure, otherwise 0.
 */
export async function serve(args: readonly string[], world: ServeIo): Promise<number> {
  let options: ServeOptions | undefined;
  try {
    options = readServeOptions(args);
  } catch (error) {
    if (!(error instanceof UsageProblem)) {
      throw error;
    }
    world.writeError(`typekube serve: ${error.message}\n\n${serveUsage}`);
    return 2;
  }
  if (options === undefined) {
    world.write(serveUsage);
    return 0;
  }
  // Subscribe first, so that a signal during loading of manifests is not lost.
  const end = world.signal ?? endSignal();
  try {
    await run(options, world, end);
    return 0;
  } catch (error) {
    world.writeError(`typekube serve: ${textOf(error)}\n`);
    return 1;
  }
}

async function run(options: ServeOptions, world: ServeIo, end: AbortSignal): Promise<void> {
  const { port, rbac, controllers, runsPods, version, seed } = options;
  await using api = await startApiServer({
    version,
    seed,
    ...(rbac ? { authorization: "RBAC" } : {}),
    ...(controllers ? { controllers: true } : {}),
    ...(runsPods ? { stages: runPods(), pods: memoryContainers() } : {}),
  });
  const saved = options.save === undefined ? undefined : resolved(world, options.save);
  if (saved !== undefined) {
    // Detect an unwritable folder now, not when a day's work has to be saved.
    await mkdir(saved, { recursive: true });
    await api.settled();
  }
  const started = api.resourceVersion;
  const loaded = await load(api, options, world);
  const listener = await api.listen({ port });
  const own =
    options.kubeconfig === undefined ? await mkdtemp(join(tmpdir(), "typekube-")) : undefined;
  try {
    const kubeconfig = own ? join(own, "config") : resolved(world, options.kubeconfig ?? "");
    await listener.writeKubeconfig(kubeconfig);
    world.write(
      [
        `Kubernetes ${version} API server, in memory, at ${listener.server}${rbac ? " (RBAC)" : ""}`,
        ...(loaded === undefined ? [] : [`${loaded} objects loaded`]),
        "",
        ...exportCommands(kubeconfig, world.shell ?? process).map((command) => `  ${command}`),
        "  kubectl get namespaces",
        "",
        "Press Ctrl+C to stop.",
        "",
      ].join("\n"),
    );
    await ended(end);
    if (saved !== undefined) {
      world.write(`${await saveObjects(api, saved, started)} objects saved to ${saved}\n`);
    }
  } finally {
    if (own !== undefined) {
      await rm(own, { recursive: true, force: true });
    }
  }
}

async function load(
  api: ApiServer,
  options: ServeOptions,
  world: ServeIo,
): Promise<number | undefined> {
  if (options.load === undefined) {
    return undefined;
  }
  return api.load(await readManifests(resolved(world, options.load)));
}

function resolved({ folder }: ServeIo, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

function endSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function textOf(error: unknown): string {
  return error instanceof KubeError ? error.message : String((error as Error).message ?? error);
}
