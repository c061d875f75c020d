import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigProblem, configError } from "../config-problem.js";
import { type FileSystem, thisFileSystem, whileHeld } from "./file-system.js";

/**
 * Locks a file as kubectl does: by creating `<file>.lock`, which must not exist yet. The file's folder is created when it is
 * missing. In a folder that this process may not write to, nothing is locked: no other process of this user can replace the file
 * either. On Windows a refusal says no such thing, since a lock that is being removed gives the same error; there it is an error.
 *
 * @returns a function that unlocks it and does not fail.
 * @throws {KubeError} `Config` when the lock is held, or cannot be created.
 */
export async function lockFile(
  file: string,
  files: FileSystem = thisFileSystem,
): Promise<() => Promise<void>> {
  const path = `${file}.lock`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o755 });
    await whileHeld(files, () => files.create(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isReadOnly = code === "EACCES" || code === "EPERM" || code === "EROFS";
    if (isReadOnly && files.platform !== "win32") {
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
  return () => whileHeld(files, () => files.remove(path)).catch(() => {});
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
