import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";
import type { Environment } from "../environment/environment.js";
import { splitPathList } from "../environment/path-list.js";
import { variableOf } from "./windows-system.js";

/** The machine on which a command is looked up; replaceable in tests. */
export interface CommandLookup {
  readonly platform: NodeJS.Platform;
  readonly isExecutable: (path: string) => Promise<boolean>;
}

const thisMachine: CommandLookup = {
  platform: process.platform,
  isExecutable: (path) => isExecutable(path),
};

/** Extensions of programs on Windows when PATHEXT is not set, as in Go. */
const defaultEndings = ".com;.exe;.bat;.cmd";

/**
 * Finds the file that a command runs: the command itself when it is a path, else the first executable of that name in
 * PATH. Relative folders in PATH are ignored, so that nothing in the current folder ever runs. On Windows, as in Go,
 * the extensions of PATHEXT are tried in turn, and a name without an extension never matches a file without one: next
 * to `az.cmd` lies a shell script `az`. Folders in PATH may be quoted there.
 *
 * @returns an absolute path, or `undefined` when no file is found.
 */
export async function findCommand(
  command: string,
  env: Environment,
  { platform, isExecutable }: CommandLookup = thisMachine,
): Promise<string | undefined> {
  const { isAbsolute, join } = platform === "win32" ? win32 : posix;
  const folders = /[/\\]/.test(command)
    ? [""]
    : splitPathList(variableOf(env, "PATH", platform) ?? "", platform).filter((folder) =>
        isAbsolute(folder),
      );
  const endings = platform === "win32" ? windowsEndings(command, env) : [""];
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

function windowsEndings(command: string, env: Environment): readonly string[] {
  const endings = (variableOf(env, "PATHEXT", "win32") || defaultEndings)
    .split(";")
    .filter((ending) => ending !== "")
    .map((ending) => (ending.startsWith(".") ? ending : `.${ending}`));
  const hasEnding = win32.extname(command) !== "";
  return hasEnding ? ["", ...endings] : endings;
}

/** Permission checks of the runtime; replaceable in tests. */
export interface Permissions {
  /** Rejects when this process lacks a permission for a file. */
  readonly access: (path: string, mode: number) => Promise<void>;
  /** Returns the user of this process. Throws in Deno without `--allow-sys`; missing on Windows. */
  readonly getuid?: (() => number) | undefined;
}

const ofThisProcess: Permissions = { access, getuid: process.getuid };

/** Returns true for a file that this process may execute. */
export async function isExecutable(
  path: string,
  permissions: Permissions = ofThisProcess,
): Promise<boolean> {
  try {
    const file = await stat(path);
    return file.isFile() && (await mayRun(path, file.mode, permissions));
  } catch {
    return false;
  }
}

/** Mode bits that allow the owner, the group or others to execute a file. */
const executableBits = 0o111;

async function mayRun(
  path: string,
  mode: number,
  { access, getuid }: Permissions,
): Promise<boolean> {
  try {
    getuid?.call(process);
  } catch {
    // Deno without --allow-sys: access() requests the user ID in a callback, where the error ends the process and
    // cannot be caught.
    return (mode & executableBits) !== 0;
  }
  await access(path, constants.X_OK);
  return true;
}
