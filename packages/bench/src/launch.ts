import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { peersFolder } from "./peers.js";

/** With which Node and from which files the processes run. */
export interface Launch {
  /** The binary of Node, or of what stands for it. */
  readonly node: string;
  /** `24.21.0`. */
  readonly nodeVersion: string;
  /** What the files need to run at all. */
  readonly nodeArguments: readonly string[];
  /** The path of a program of this package, by its name without ending: `cells/list-floor`. */
  file(name: string): string;
}

const sources = fileURLToPath(new URL("../src/", import.meta.url));
const compiled = fileURLToPath(new URL("../dist/", import.meta.url));
const peerCells = `${peersFolder}cells/`;

/** The file of a cell; those of peers stand beside what they import. */
function peerFile(name: string): string | undefined {
  const cell = name.replace(/^cells\//, "");
  return cell.endsWith("-client-node") ? `${peerCells}${cell}.js` : undefined;
}

/**
 * Compiled files by plain Node, as users run them: what is measured is the packages' `dist`, without a loader that
 * translates TypeScript.
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

/** Sources by tsx on the Node that runs this: for tests, which must not need a build. */
export function launchSources(): Launch {
  // A URL: Windows takes the letter of a drive for a scheme.
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  return {
    node: process.execPath,
    nodeVersion: process.versions.node,
    nodeArguments: ["--conditions=@typekube/source", "--import", tsx, "--expose-gc"],
    file: (name) => `${sources}${name}.ts`,
  };
}

/** The Node of the `node-<platform>-<arch>` package, where there is one for this machine. */
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
