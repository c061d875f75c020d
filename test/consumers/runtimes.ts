import { execFile } from "node:child_process";
import { access, chmod } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "runtimes");

/** `true` on the platform that the binaries of `runtimes/package.json` are built for. */
export const hasRuntimes = process.platform === "linux" && process.arch === "x64";

/** A runtime and the arguments before the program's path. */
export interface Runtime {
  readonly name: string;
  /** Path below `runtimes/node_modules`. */
  readonly binary: string;
  readonly args: readonly string[];
}

/** Grants Deno only the network and the two variables that undici reads. */
const denoArgs = [
  "run",
  "--no-prompt",
  "--allow-net",
  "--allow-env=JEST_WORKER_ID,UNDICI_NO_WASM_SIMD",
];

export const runtimes: readonly Runtime[] = [
  { name: "Node 20.19.0", binary: "node20-linux-x64/bin/node", args: [] },
  { name: "Node 22.12.0", binary: "node22-linux-x64/bin/node", args: [] },
  { name: "Node 24", binary: "node24-linux-x64/bin/node", args: [] },
  { name: "Node 26", binary: "node26-linux-x64/bin/node", args: [] },
  { name: "Bun 1.4", binary: "@oven/bun-linux-x64/bin/bun", args: [] },
  { name: "Deno 2.9", binary: "@deno/linux-x64-glibc/deno", args: denoArgs },
];

/** Node versions outside `engines`: their `require()` does not load ES modules. */
export const runtimesWithoutRequire: readonly Runtime[] = [
  { name: "Node 21", binary: "node21-linux-x64/bin/node", args: [] },
  { name: "Node 22.0.0", binary: "node22-0-linux-x64/bin/node", args: [] },
  { name: "Node 22.11.0", binary: "node22-11-linux-x64/bin/node", args: [] },
];

/** Returns the path of a runtime's binary. */
export function binaryOf({ binary }: Runtime): string {
  return join(folder, "node_modules", binary);
}

/** Installs the runtimes from their lockfile, once; needs the npm registry. */
export async function installRuntimes(): Promise<void> {
  const binaries = [...runtimes, ...runtimesWithoutRequire].map(binaryOf);
  const isInstalled = await Promise.all(binaries.map((path) => access(path))).then(
    () => true,
    () => false,
  );
  if (!isInstalled) {
    await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: folder,
    });
  }
  // Without its install script, Deno's binary is not executable.
  await Promise.all(binaries.map((path) => chmod(path, 0o755)));
}
