import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { KubeError } from "@typekube/core";
import { isErrno } from "./local-error.js";

const { O_CREAT, O_EXCL, O_WRONLY } = constants;
/** Absent on Windows. */
const noFollow = (constants as Partial<typeof constants>).O_NOFOLLOW ?? 0;

/** The highest id means "unchanged" to the system. */
const maxOwner = 2 ** 32 - 1;
const firstMs = -(2 ** 31) * 1000;
const lastMs = Date.UTC(9999, 0);

/** Attributes of a file, where the archive states them. */
export interface FileAttributes {
  readonly mode: number;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  readonly modifiedMs?: number | undefined;
}

/** A file to write. */
export interface LocalFile {
  /** Directory that was checked. */
  readonly directory: string;
  readonly name: string;
  readonly attributes: FileAttributes;
  /** `true` keeps what came of a content that fails. */
  readonly keepPartial: boolean;
}

/**
 * Writes a file under another name, which nothing else has, and renames it when it is complete. A file or link that was
 * there is replaced and never written through; until then it stays as it was.
 *
 * @throws {KubeError} `InvalidState` when a directory is in its place; the error of the content.
 */
export async function writeLocalFile(
  { directory, name, attributes, keepPartial }: LocalFile,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const path = join(directory, name);
  const temporary = join(directory, temporaryName());
  const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | noFollow, 0o600);
  let isWhole = false;
  try {
    for await (const chunk of content) {
      await writeAll(file, chunk);
    }
    await setAttributes(file, attributes);
    isWhole = true;
  } finally {
    await file.close();
    if (isWhole || keepPartial) {
      await replace(temporary, path);
    } else {
      await rm(temporary, { force: true });
    }
  }
}

/** Returns a name that no other file has. */
export function temporaryName(): string {
  return `.${randomBytes(12).toString("hex")}.part`;
}

/** Gives a file its name in place of a file or link that has it. */
export async function replace(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    await rm(from, { force: true });
    if (isErrno(error, "EISDIR", "ENOTEMPTY", "EEXIST", "EPERM")) {
      throw new KubeError(
        "InvalidState",
        `${JSON.stringify(to)} is a directory, and a file comes`,
        { cause: error, hint: "remove it, or copy to another place" },
      );
    }
    throw error;
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength; ) {
    at += (await file.write(chunk, at)).bytesWritten;
  }
}

/** The owner is kept by root only, as tar does. The bits for set-user-ID and set-group-ID are never kept. */
async function setAttributes(
  file: FileHandle,
  { mode, uid, gid, modifiedMs }: FileAttributes,
): Promise<void> {
  if (isOwner(uid) && isOwner(gid) && process.getuid?.() === 0) {
    await file.chown(uid, gid);
  }
  await file.chmod(mode & 0o777);
  if (modifiedMs !== undefined) {
    await file.utimes(dateOf(modifiedMs), dateOf(modifiedMs));
  }
}

function isOwner(id: number | undefined): id is number {
  return id !== undefined && id >= 0 && id < maxOwner;
}

/** Returns the time of an archive as file systems can have it: from 1901 to 9999. */
export function dateOf(modifiedMs: number): Date {
  return new Date(Math.min(Math.max(modifiedMs, firstMs), lastMs));
}
