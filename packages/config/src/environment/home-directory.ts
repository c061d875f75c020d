import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { win32 } from "node:path";
import type { Environment } from "./environment.js";

/** Facts about the machine that paths depend on; replaceable in tests. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly exists: (path: string) => Promise<boolean>;
  /** Returns true for a folder without the read-only attribute. */
  readonly isWritableFolder: (path: string) => Promise<boolean>;
  /** Returns the home directory that the operating system has on record. May throw. */
  readonly recordedHome: () => string;
}

const thisMachine: Machine = {
  platform: process.platform,
  exists,
  isWritableFolder,
  recordedHome: homedir,
};

/**
 * Returns the home directory as client-go finds it. On systems other than Windows that is `HOME`, else the one on
 * record for the user; a container may have neither. On Windows it is the first of `HOME`, `HOMEDRIVE` with `HOMEPATH`,
 * and `USERPROFILE` that contains a `.kube\config`. Otherwise the order is `HOME`, `USERPROFILE`, `HOMEDRIVE` with
 * `HOMEPATH`: the first that is writable, else the first that exists, else the first that is set, else the one on
 * record.
 *
 * @returns `undefined` when there is no home directory.
 */
export async function homeDirectory(
  env: Environment,
  machine: Machine = thisMachine,
): Promise<string | undefined> {
  if (machine.platform !== "win32") {
    return env["HOME"] || recorded(machine);
  }
  const { HOME, HOMEDRIVE, HOMEPATH, USERPROFILE } = env;
  const drive = HOMEDRIVE && HOMEPATH ? HOMEDRIVE + HOMEPATH : "";
  const withConfig = await firstOf([HOME, drive, USERPROFILE], (home) =>
    machine.exists(win32.join(home, ".kube", "config")),
  );
  if (withConfig !== undefined) {
    return withConfig;
  }
  const homes = [HOME, USERPROFILE, drive];
  return (
    (await firstOf(homes, machine.isWritableFolder)) ??
    (await firstOf(homes, machine.exists)) ??
    (await firstOf(homes, async () => true)) ??
    recorded(machine)
  );
}

/** Returns the first directory that is set and satisfies `has`. */
async function firstOf(
  homes: readonly (string | undefined)[],
  has: (home: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const home of homes) {
    if (home && (await has(home))) {
      return home;
    }
  }
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function isWritableFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() === true && (stats.mode & 0o200) !== 0;
}

/** Returns `undefined` for a user without an entry in passwd: Node throws a system error then. */
function recorded({ recordedHome }: Machine): string | undefined {
  try {
    return recordedHome();
  } catch {
    return undefined;
  }
}
