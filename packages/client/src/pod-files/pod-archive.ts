import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { KubeError, type KubeErrorCode } from "@typekube/core";
import { sleep } from "@typekube/core/internal";
import type { PodFiles } from "./pod-files.js";
import { divide } from "./remote-path.js";
import { isMissingProgram, startInPod, succeeds } from "./run-in-pod.js";
import { badArchive } from "./tar/tar-error.js";

/** An archive that the tar of a container makes. */
export interface PodArchiveRequest {
  /** Path in the container. */
  readonly path: string;
  /** `true` archives what links lead to. */
  readonly follows: boolean;
  readonly isCompressed: boolean;
  /** How often an archive that was cut off is resumed. */
  readonly retries: number;
  /** Tells whether the end of the archive was read. A command that succeeds before that was cut off. */
  readonly isComplete: () => boolean;
}

/** Milliseconds before an archive is resumed the first time; doubled each time. */
const firstDelayMs = 200;

/** Errors after which the archive can be resumed: the connection ended, not the command. */
const lost: ReadonlySet<KubeErrorCode> = new Set([
  "ConnectionClosed",
  "ConnectionReset",
  "ConnectionTimeout",
  "NetworkError",
  "Timeout",
]);

/** Resumes at byte $1. A pipe would hide the exit code of tar, so that it goes through a descriptor of its own. */
const resumeScript =
  'at=$1; shift; exec 4>&1; exit "$({ { "$@" 3>&-; echo $? >&3; } | tail -c "+$at" >&4 3>&-; } 3>&1)"';

/**
 * Yields the bytes of an archive, across lost connections.
 *
 * @throws {KubeError} `CommandFailed` when tar fails or is missing; the error of the last attempt.
 */
export function podArchive(files: PodFiles, request: PodArchiveRequest): AsyncIterable<Uint8Array> {
  if (!request.isCompressed) {
    return resumed(files, request);
  }
  // The decompressor reads ahead of the archive, so that only a lost connection or its own error tells of a cut.
  return unzipped(resumed(files, { ...request, isComplete: () => true }));
}

async function* resumed(
  files: PodFiles,
  request: PodArchiveRequest,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { clock } = files.target.context;
  let position = 0;
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= request.retries;
    try {
      for await (const chunk of runTar(files, request, position)) {
        position += chunk.byteLength;
        yield chunk;
      }
      if (isLast || request.isComplete()) {
        return;
      }
    } catch (error) {
      if (isLast || !(error instanceof KubeError) || !lost.has(error.code)) {
        throw error;
      }
    }
    await sleep(clock, firstDelayMs * 2 ** attempt, files.options.signal);
  }
}

async function* runTar(
  files: PodFiles,
  request: PodArchiveRequest,
  position: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const tar = tarCommand(request);
  if (position === 0) {
    yield* outputOf(files, tar);
    return;
  }
  const resume = ["sh", "-c", resumeScript, "sh", String(position + 1), ...tar];
  let isStarted = false;
  try {
    for await (const chunk of outputOf(files, resume)) {
      isStarted = true;
      yield chunk;
    }
  } catch (error) {
    if (isStarted || !isMissingProgram(error, "sh")) {
      throw error;
    }
    yield* without(outputOf(files, tar), position);
  }
}

function tarCommand({ path, follows, isCompressed }: PodArchiveRequest): string[] {
  const { directory, name } = divide(path);
  const flags = `-c${follows ? "h" : ""}${isCompressed ? "z" : ""}f`;
  // The names of some tars have prefixes with a meaning, such as @ for another archive.
  return ["tar", flags, "-", "-C", directory, "--", name === "" ? "." : `./${name}`];
}

/** Yields the output of a command, whose success is known at the end. */
export async function* outputOf(
  files: PodFiles,
  command: readonly string[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const [program = ""] = command;
  const started = await startInPod(files, command);
  const { session } = started;
  try {
    for await (const chunk of session.stdout) {
      yield chunk as Buffer;
    }
  } catch (error) {
    session.stdout.destroy();
    await succeeds(program, started);
    throw error;
  } finally {
    await session.close();
  }
  await succeeds(program, started);
}

async function* without(
  chunks: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = bytes;
  for await (const chunk of chunks) {
    if (left < chunk.byteLength) {
      yield chunk.subarray(left);
    }
    left = Math.max(0, left - chunk.byteLength);
  }
}

async function* unzipped(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip();
  pipeline(Readable.from(chunks), gunzip, () => {});
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    const isZlib = String((error as NodeJS.ErrnoException).code).startsWith("Z_");
    throw isZlib ? badArchive("its gzip stream is damaged or cut off") : error;
  }
}
