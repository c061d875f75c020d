import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { peersFolder } from "./peers.js";

/** Node binary and files for the processes of a run. */
export interface Launch {
  /** Path of the Node binary, or of another runtime. */
  readonly node: string;
  /** Version without the `v`: `24.21.0`. */
  readonly nodeVersion: string;
  /** Arguments that every file needs. */
  readonly nodeArguments: readonly string[];
  /** Returns the path of a program of this package by its name without extension: `cells/list-floor`. */
  file(name: string): string;
}

const sources = fileURLToPath(new URL("../src/", import.meta.url));
const compiled = fileURLToPath(new URL("../dist/", import.meta.url));
const peerCells = `${peersFolder}cells/`;

/** Returns the file of a peer's cell; it lives beside the peer's dependencies. */
function peerFile(name: string): string | undefined {
  const cell = name.replace(/^cells\//, "");
  return cell.endsWith("-client-node") ? `${peerCells}${cell}.js` : undefined;
}

/**
 * Runs compiled files on plain Node, as users do: measures the packages' `dist`, without a loader that translates
 * TypeScript.
 */
export function launchCompiled(): Launch {
  const node = packagedNode() ?? process.execPath;
  return {
    node,
    nodeVersion: versionOf(node),
    nodeArguments: ["--expose-gc"],
    file: (name) => peerFile(name) ?? `${compiled}${name}.js`,
  };
}

/** Runs sources with tsx on the current Node, for tests that must not need a build. */
export function launchSources(): Launch {
  // As a URL: in a Windows path, the drive letter would be read as a scheme.
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  return {
    node: process.execPath,
    nodeVersion: process.versions.node,
    nodeArguments: ["--conditions=@typekube/source", "--import", tsx, "--expose-gc"],
    file: (name) => `${sources}${name}.ts`,
  };
}

/** Returns the Node of the `node-<platform>-<arch>` package, if it exists for this machine. */
function packagedNode(): string | undefined {
  try {
    const require = createRequire(`${peersFolder}package.json`);
    const node = require.resolve(`node-${process.platform}-${process.arch}/bin/node`);
    return versionOf(node) === "" ? undefined : node;
  } catch {
    return undefined;
  }
}

function versionOf(node: string): string {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return (stdout ?? "").trim().replace(/^v/, "");
}
