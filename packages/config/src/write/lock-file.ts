import { mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigProblem, configError } from "../config-problem.js";

/**
 * Locks a file the way kubectl does: by making `<file>.lock`, which must not be there yet. The file's folder is made when it is
 * missing. In a folder that nobody here may write to there is nothing to lock, since the file cannot be changed either.
 *
 * @returns what unlocks it; it does not fail.
 * @throws {KubeError} `Config` when somebody else holds the lock, or it cannot be made.
 */
export async function lockFile(file: string): Promise<() => Promise<void>> {
  const path = `${file}.lock`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o755 });
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
      return async () => {};
    }
    const isHeld = code === "EEXIST";
    const text = isHeld
      ? `the kubeconfig file ${file} is being changed by somebody else: ${path} is there`
      : `the kubeconfig file ${file} cannot be locked (${code})`;
    throw configError(
      [new ConfigProblem("Locked", text)],
      isHeld ? "remove that file when nobody is" : undefined,
    );
  }
  return () => rm(path, { force: true }).catch(() => {});
}

/**
 * Runs work while it holds the locks of all files, and gives them back whatever becomes of it.
 *
 * @param files - taken in one order by everybody, so that two who want the same do not wait for each other.
 */
export async function withLocks<T>(files: readonly string[], work: () => Promise<T>): Promise<T> {
  const unlock: (() => Promise<void>)[] = [];
  try {
    for (const file of [...new Set(files)].sort()) {
      unlock.push(await lockFile(file));
    }
    return await work();
  } finally {
    await Promise.all(unlock.map((release) => release()));
  }
}
