import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the programs live that TypeKube is measured beside. */
export const peersFolder: string = fileURLToPath(new URL("../peers/", import.meta.url));

/**
 * Installs them on the first run: a clone that runs no benchmark does not pay for 200 MB of them.
 *
 * @returns what went wrong; the rows of peers are left out then.
 */
export function installPeers(): string {
  if (existsSync(`${peersFolder}node_modules`)) {
    return "";
  }
  console.log("Installing what TypeKube is measured beside (once) ...");
  const { status, stderr, error } = spawnSync("npm", ["install", "--loglevel=error"], {
    cwd: peersFolder,
    encoding: "utf8",
  });
  return status === 0 ? "" : (error?.message ?? stderr.trim());
}
