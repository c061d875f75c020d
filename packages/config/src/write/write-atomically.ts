import { randomBytes } from "node:crypto";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ConfigProblem, configError } from "../config-problem.js";

/**
 * Writes a file that only its owner can read and that is there whole or not at all: beside it first, then in its place. A
 * symbolic link stays one, and the owner the one it was where that is allowed. A file that is a mount of its own, as in
 * containers, has no place to give up: it is written as it stands.
 *
 * @throws {KubeError} `Config` when it cannot be written.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
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
    await rename(beside, target).catch((error: NodeJS.ErrnoException) =>
      error.code === "EBUSY" ? inPlace(beside, target, text) : Promise.reject(error),
    );
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    const { code } = error as NodeJS.ErrnoException;
    const problem = `the kubeconfig file ${path} cannot be written (${code})`;
    throw configError([new ConfigProblem("Unwritable", problem)]);
  }
}

async function inPlace(beside: string, target: string, text: string): Promise<void> {
  const file = await open(target, "r+");
  try {
    await file.chmod(0o600);
    await file.truncate();
    await fill(file, text);
  } finally {
    await file.close();
  }
  await rm(beside);
}

async function fill(file: FileHandle, text: string): Promise<void> {
  await file.writeFile(text, "utf8");
  // Before it takes the old one's place: a power cut must not leave an empty kubeconfig.
  await file.sync();
}
