import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the programs live that TypeKube is measured beside. */
export const peersFolder: string = fileURLToPath(new URL("../peers/", import.meta.url));

/** Where the programs live that TypeKube is run on besides Node 24. */
export const runtimesFolder: string = `${peersFolder}runtimes/`;

/**
 * Installs what a folder's manifest names on the first run that needs it: a clone that runs no benchmark does not pay for
 * hundreds of megabytes.
 *
 * @returns what went wrong; the rows that need it are left out then.
 */
export function installPeers(folder: string): string {
  // npm writes this when everything else is there; an installation that was interrupted has none.
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
