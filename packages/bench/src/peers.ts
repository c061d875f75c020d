import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Folder of the programs that TypeKube is compared with. */
export const peersFolder: string = fileURLToPath(new URL("../peers/", import.meta.url));

/** Folder of the runtimes that TypeKube also runs on, beside Node 24. */
export const runtimesFolder: string = `${peersFolder}runtimes/`;

/**
 * Installs the packages of a folder's manifest on the first run that needs them, so that a clone without benchmarks
 * does not download hundreds of megabytes.
 *
 * @returns the error; the rows that need the packages are left out in that case.
 */
export function installPeers(folder: string): string {
  // npm writes this file last; an interrupted installation lacks it.
  if (existsSync(`${folder}node_modules/.package-lock.json`)) {
    return "";
  }
  console.error(`Installing the measured programs in ${folder} (once) ...`);
  const { status, stderr, error } = spawnSync(
    "npm",
    ["ci", "--ignore-scripts", "--loglevel=error"],
    {
      cwd: folder,
      encoding: "utf8",
    },
  );
  return status === 0 ? "" : (error?.message ?? stderr.trim());
}
