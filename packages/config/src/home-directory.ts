import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { win32 } from "node:path";
import type { Environment } from "./load-kubeconfig.js";

/** The machine, as far as paths depend on it; replaceable for tests. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly exists: (path: string) => boolean;
  /** The home directory that the operating system has on record. May throw. */
  readonly recordedHome: () => string;
}

const thisMachine: Machine = {
  platform: process.platform,
  exists: existsSync,
  recordedHome: homedir,
};

/**
 * Returns the home directory as client-go finds it. Elsewhere than on Windows that is `HOME`, else the one on record for the user;
 * a container may have neither. On Windows it is the first of `HOME`, `HOMEDRIVE` with `HOMEPATH` and `USERPROFILE` that holds a
 * `.kube\config`, else the first of them that is set.
 *
 * @returns `undefined` when there is none.
 */
export function homeDirectory(
  env: Environment,
  machine: Machine = thisMachine,
): string | undefined {
  if (machine.platform !== "win32") {
    return env["HOME"] || recorded(machine);
  }
  const { HOME, HOMEDRIVE, HOMEPATH, USERPROFILE } = env;
  const candidates = [HOME, HOMEDRIVE && HOMEPATH ? HOMEDRIVE + HOMEPATH : "", USERPROFILE];
  const set = candidates.filter((home) => home !== undefined && home !== "") as string[];
  const withConfig = set.find((home) => machine.exists(win32.join(home, ".kube", "config")));
  return withConfig ?? set[0] ?? recorded(machine);
}

/** A user without an entry in passwd has none on record: Node throws a system error then. */
function recorded({ recordedHome }: Machine): string | undefined {
  try {
    return recordedHome();
  } catch {
    return undefined;
  }
}
