import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Launch } from "./launch.js";
import { runtimesFolder } from "./peers.js";

/** Runtimes of programs, in addition to the Node of the other rows. */
export type Runtime = "Bun" | "Deno" | "Node 20" | "Node 22" | "Node 26";

interface Start {
  /** Path of the binary, relative to the `node_modules` of the runtimes' folder. */
  readonly binary: string;
  readonly arguments: readonly string[];
}

const node = (major: number): Start => ({
  binary: `node${major}-linux-x64/bin/node`,
  arguments: ["--expose-gc"],
});

const runtimes: Readonly<Record<Runtime, Start>> = {
  "Node 20": node(20),
  "Node 22": node(22),
  "Node 26": node(26),
  Bun: { binary: "@oven/bun-linux-x64/bin/bun", arguments: ["--expose-gc"] },
  Deno: {
    binary: "@deno/linux-x64-glibc/deno",
    arguments: ["run", "--allow-all", "--v8-flags=--expose-gc"],
  },
};

/** Names of all runtimes. */
export const runtimeNames: readonly Runtime[] = Object.keys(runtimes) as Runtime[];

/** Returns a launch of the same files on another runtime, or `undefined` when the runtime does not run on this machine. */
export function launchOn(launch: Launch, runtime: Runtime): Launch | undefined {
  const { binary, arguments: nodeArguments } = runtimes[runtime];
  const path = `${runtimesFolder}node_modules/${binary}`;
  const isThere = existsSync(path) && spawnSync(path, ["--version"]).status === 0;
  return isThere ? { ...launch, node: path, nodeArguments } : undefined;
}
