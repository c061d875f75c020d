import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";
import { splitPathList } from "../kubeconfig-paths.js";
import type { Environment } from "../load-kubeconfig.js";
import { variableOf } from "./windows-system.js";

/** The machine that a command is looked up on; replaceable for tests. */
export interface CommandLookup {
  readonly platform: NodeJS.Platform;
  readonly isExecutable: (path: string) => Promise<boolean>;
}

const thisMachine: CommandLookup = {
  platform: process.platform,
  isExecutable: (path) => isExecutable(path),
};

/** Endings of programs on Windows where PATHEXT is not set, as Go has them. */
const defaultEndings = ".com;.exe;.bat;.cmd";

/**
 * Finds the file that a command stands for: itself when it is a path, else the first executable one of that name in PATH. Relative
 * folders in PATH do not count, so that nothing of the current folder is ever run. On Windows a name without an ending of PATHEXT
 * gets each of them in turn and never stands for a file without one, as in Go: beside `az.cmd` lies a shell script `az`. Folders of
 * PATH may stand in quotes there.
 *
 * @returns an absolute path, or `undefined` when there is none.
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

/** How the runtime tells who may do what; replaceable for tests. */
export interface Permissions {
  /** Rejects when this process lacks a permission for a file. */
  readonly access: (path: string, mode: number) => Promise<void>;
  /** The user of this process; throws in Deno without `--allow-sys`. Windows has none. */
  readonly getuid?: (() => number) | undefined;
}

const ofThisProcess: Permissions = { access, getuid: process.getuid };

/** True for a file that this process may run. */
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

/** Bits of a mode that let the owner, the group or others run a file. */
const executableBits = 0o111;

async function mayRun(
  path: string,
  mode: number,
  { access, getuid }: Permissions,
): Promise<boolean> {
  try {
    getuid?.call(process);
  } catch {
    // Deno without --allow-sys: its access() asks for the user in a callback, where the error ends the process and cannot be caught.
    return (mode & executableBits) !== 0;
  }
  await access(path, constants.X_OK);
  return true;
}
