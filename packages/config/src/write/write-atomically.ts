import { randomBytes } from "node:crypto";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ConfigProblem, configError } from "../config-problem.js";
import { type FileSystem, thisFileSystem, whileHeld } from "./file-system.js";

/**
 * Writes a file as a whole or not at all: beside it first, then in its place. Only its owner can read it (mode 0600); Windows has no
 * such modes, there the permissions of the folder decide. A symbolic link stays one, and the owner stays the same where that
 * is allowed. A file that is a mount of its own, as in containers, cannot be replaced: it is written in place.
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
    // A scanner may hold it open, and it has the secrets.
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
  // Before it takes the old one's place: a power cut must not leave an empty kubeconfig.
  await file.sync();
}
