import { randomBytes } from "node:crypto";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ConfigProblem, configError } from "../errors/config-problem.js";
import { type FileSystem, thisFileSystem, whileHeld } from "./file-system.js";

/**
 * Replaces a file atomically: writes a temporary file next to it, then renames that. Only the owner can read the result
 * (mode 0600); Windows has no such modes, so the folder's permissions apply there. A symbolic link stays a link, and
 * the owner is kept where that is allowed. A file that is itself a mount point, as in containers, cannot be replaced
 * and is written in place.
 *
 * @throws {KubeError} `Config` when it cannot be written.
 */
export async function writeAtomically(
  path: string,
  text: string,
  files: FileSystem = thisFileSystem,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const beside = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}`);
  try {
    const before = await stat(target).catch(() => undefined);
    const file = await open(beside, "wx", 0o600);
    try {
      await fill(file, text);
      if (before) {
        await file.chown(before.uid, before.gid).catch(() => {});
      }
    } finally {
      await file.close();
    }
    await whileHeld(files, () => files.rename(beside, target)).catch(
      (error: NodeJS.ErrnoException) =>
        error.code === "EBUSY" && files.platform !== "win32"
          ? inPlace(target, text).then(() => files.remove(beside))
          : Promise.reject(error),
    );
  } catch (error) {
    // A virus scanner may hold the temporary file open, and it contains the secrets.
    await whileHeld(files, () => files.remove(beside)).catch(() => {});
    const { code } = error as NodeJS.ErrnoException;
    const problem = `the kubeconfig file ${path} cannot be written (${code})`;
    throw configError(
      [new ConfigProblem("Unwritable", problem)],
      files.platform === "win32" ? "is it open in another program, or read-only?" : undefined,
    );
  }
}

async function inPlace(target: string, text: string): Promise<void> {
  const file = await open(target, "r+");
  try {
    await file.chmod(0o600);
    await file.truncate();
    await fill(file, text);
  } finally {
    await file.close();
  }
}

async function fill(file: FileHandle, text: string): Promise<void> {
  await file.writeFile(text, "utf8");
  // Flushed before the rename: a power failure must not leave an empty kubeconfig.
  await file.sync();
}
