import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Launch } from "./launch.js";
import { runtimesFolder } from "./peers.js";

/** What programs run on besides the Node of the other rows. */
export type Runtime = "Bun" | "Deno" | "Node 20" | "Node 22" | "Node 26";

interface Start {
  /** The binary, below the folder of runtimes. */
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

/** All of them. */
export const runtimeNames: readonly Runtime[] = Object.keys(runtimes) as Runtime[];

/** The same files on another runtime, or `undefined` where it does not run on this machine. */
export function launchOn(launch: Launch, runtime: Runtime): Launch | undefined {
  const { binary, arguments: nodeArguments } = runtimes[runtime];
  const path = `${runtimesFolder}node_modules/${binary}`;
  const isThere = existsSync(path) && spawnSync(path, ["--version"]).status === 0;
  return isThere ? { ...launch, node: path, nodeArguments } : undefined;
}
