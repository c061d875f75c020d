import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigProblem, configError } from "../errors/config-problem.js";
import { type FileSystem, thisFileSystem, whileHeld } from "./file-system.js";

/**
 * Locks a file as kubectl does: creates `<file>.lock`, which must not exist yet. Creates the file's folder when it is
 * missing. In a folder that this process may not write to, nothing is locked: other processes of this user cannot
 * replace the file either. On Windows a denied access is an error, since a lock file that is being deleted causes the
 * same error code.
 *
 * @returns a function that unlocks the file and never rejects.
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
      ? `the kubeconfig file ${file} is locked by another process: ${path} exists`
      : `the kubeconfig file ${file} cannot be locked (${code})`;
    throw configError(
      [new ConfigProblem("Locked", text)],
      isHeld ? "remove the lock file if no other process is changing the kubeconfig" : undefined,
    );
  }
  return () => whileHeld(files, () => files.remove(path)).catch(() => {});
}

/**
 * Runs work while holding the locks of all files, and releases them whatever the result.
 *
 * @param files - files to lock. They are locked in sorted order, so that two processes do not deadlock.
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
