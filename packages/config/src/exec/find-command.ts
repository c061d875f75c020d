import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "../load-kubeconfig.js";

/**
 * The file that a command stands for: itself when it is a path, else the first executable one of that name in PATH.
 * Relative folders in PATH do not count, so that nothing of the current folder is ever run.
 *
 * @returns an absolute path, or `undefined` when there is none.
 */
export async function findCommand(command: string, env: Environment): Promise<string | undefined> {
  const isWindows = process.platform === "win32";
  const folders = /[/\\]/.test(command)
    ? [""]
    : (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const endings = isWindows ? ["", ...(env["PATHEXT"] ?? ".EXE").split(";")] : [""];
  for (const folder of folders) {
    for (const ending of endings) {
      const path = join(folder, command + ending);
      if (await isExecutable(path)) {
        return path;
      }
    }
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
