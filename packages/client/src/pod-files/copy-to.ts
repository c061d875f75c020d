import { lstat, realpath } from "node:fs/promises";
import { basename, posix, resolve, sep } from "node:path";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { KubeError } from "@typekube/core";
import { assertOptions } from "@typekube/core/internal";
import type { PodTarget } from "../pod-target/pod-target.js";
import type { CopyResult } from "./copy-result.js";
import { type CopyToOptions, copyToOptions } from "./file-options.js";
import { findDirectory } from "./find-directory.js";
import { joinedChunks } from "./joined-chunks.js";
import { isErrno, localError } from "./local-error.js";
import { type LocalSources, localSources } from "./local-sources.js";
import { type PodFiles, podFiles } from "./pod-files.js";
import { assertPath } from "./remote-path.js";
import { isMissingProgram } from "./run-in-pod.js";
import { sendInput } from "./send-input.js";
import { archiveBytes, tarArchive } from "./tar/tar-writer.js";
import { writeToPod } from "./write-to-pod.js";

/** Copies a local file or directory to a container. */
export async function copyTo(
  target: PodTarget,
  local: string,
  remote: string,
  options: CopyToOptions,
): Promise<CopyResult> {
  assertPath("local", local);
  assertPath("remote", remote);
  assertOptions("copyTo()", options, copyToOptions);
  await assertIsThere(local);
  const files = await podFiles(target, options);
  const { isDirectory, canEndInput } = await findDirectory(files, remote);
  const place = placeOf(local, remote, isDirectory);
  if (!isDirectory) {
    await assertHasDirectory(files, place);
  }
  let bytes = 0;
  const sources = await localSources(await sourceOf(local), place.name, {
    hasDirectories: options.preserve === true,
    onChunk(file, count) {
      bytes += count;
      options.onProgress?.({ file, bytes, total: sources.bytes });
    },
  });
  try {
    await copyByTar(files, place.directory, sources, options, canEndInput);
  } catch (error) {
    if (!isMissingProgram(error, "tar")) {
      throw localError(error, `read ${JSON.stringify(local)}`);
    }
    bytes = 0;
    await copyByShell(files, place, sources, canEndInput, error);
  }
  return { files: sources.files, bytes: sources.bytes, skipped: sources.skipped };
}

async function assertIsThere(local: string): Promise<void> {
  try {
    await lstat(local);
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) {
      throw new KubeError("InvalidArgument", `local: ${JSON.stringify(local)} does not exist`, {
        cause: error,
      });
    }
    throw localError(error, `read ${JSON.stringify(local)}`);
  }
}

/** Returns the path of what is copied: of a link, unless a `/` behind it means the directory that it leads to. */
async function sourceOf(local: string): Promise<string> {
  const last = lastPart(local);
  return last === "" || last === "." ? await realpath(local) : resolve(local);
}

function lastPart(local: string): string {
  return local.split(sep === "\\" ? /[\\/]/ : "/").at(-1) ?? "";
}

/** The directory in which tar extracts, and the first part of its members. */
interface RemotePlace {
  readonly directory: string;
  /** Empty for the contents of a directory. */
  readonly name: string;
}

/** A directory that exists takes the source into itself; any other path is the new name of the source. (kubectl) */
function placeOf(local: string, remote: string, isDirectory: boolean): RemotePlace {
  const last = lastPart(local);
  if (isDirectory) {
    return { directory: remote, name: last === "." || last === ".." ? "" : basename(local) };
  }
  const path = remote.replace(/(?<=.)\/+$/, "");
  return { directory: posix.dirname(path), name: posix.basename(path) };
}

/**
 * A tar that fails at once may close the connection while its input is still sent, and its error may be lost with it.
 *
 * @throws {KubeError} `CommandFailed` when the directory does not exist.
 */
async function assertHasDirectory(files: PodFiles, { directory }: RemotePlace): Promise<void> {
  if (directory === "." || directory === "/") {
    return;
  }
  const { isDirectory, hasTest } = await findDirectory(files, directory);
  if (hasTest && !isDirectory) {
    throw new KubeError(
      "CommandFailed",
      `the container has no directory ${JSON.stringify(directory)}`,
      { hint: 'create it first, as with exec(["mkdir", "-p", directory])' },
    );
  }
}

async function copyByTar(
  files: PodFiles,
  directory: string,
  { sources }: LocalSources,
  { preserve = false, compress = false }: CopyToOptions,
  canEndInput: boolean,
): Promise<void> {
  // The size of a compressed archive is not known before, and these servers need it.
  const isCompressed = compress && canEndInput;
  const flags = `-x${preserve ? "p" : "m"}${isCompressed ? "z" : ""}f`;
  await sendInput(files, ["tar", flags, "-", "-C", directory], {
    read: () => {
      const archive = joinedChunks(tarArchive(sources));
      return isCompressed ? zipped(archive) : archive;
    },
    bytes: isCompressed ? undefined : archiveBytes(sources),
    canEndInput,
  });
}

/** Writes a single file without tar. */
async function copyByShell(
  files: PodFiles,
  { directory, name }: RemotePlace,
  { sources: [source, ...others] }: LocalSources,
  canEndInput: boolean,
  noTar: unknown,
): Promise<void> {
  if (source?.read === undefined || others.length > 0) {
    throw noTar;
  }
  const { entry, read } = source;
  const path = posix.join(directory, name);
  const { size: bytes, mode } = entry;
  try {
    await writeToPod(files, path, { read, bytes, canEndInput, mode: mode & 0o777 });
  } catch (error) {
    throw isMissingProgram(error, "sh") ? noTar : error;
  }
}

function zipped(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip();
  pipeline(Readable.from(bytes), gzip, () => {});
  return gzip;
}
