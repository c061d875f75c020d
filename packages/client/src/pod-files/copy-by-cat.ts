import { KubeError } from "@typekube/core";
import type { ExecOutput } from "../pod-sessions/command-output.js";
import { exec } from "../pod-sessions/exec.js";
import type { CopyResult } from "./copy-result.js";
import type { Extraction } from "./extraction.js";
import { outputOf } from "./pod-archive.js";
import type { PodFiles } from "./pod-files.js";
import { divide } from "./remote-path.js";
import { isMissingProgram } from "./run-in-pod.js";

/** Mode of a file whose own is not known. */
const defaultMode = 0o644;

/**
 * Copies a single file by `cat`, from a container without tar. Its mode and time stay unknown.
 *
 * @param noTar - the error of the attempt with tar, which is thrown where `cat` is missing, too.
 */
export async function copyByCat(
  files: PodFiles,
  remote: string,
  extraction: Extraction,
  noTar: unknown,
): Promise<CopyResult> {
  const { name } = divide(remote);
  if (name === "") {
    throw noTar;
  }
  const entry = {
    name,
    type: "file",
    size: 0,
    mode: defaultMode,
    uid: -1,
    gid: -1,
    modifiedMs: files.target.context.clock.now(),
    linkName: "",
  } as const;
  try {
    await extraction.add({ entry, content: contentOf(files, remote) });
  } catch (error) {
    if (isMissingProgram(error, "cat")) {
      throw noTar;
    }
    if (error instanceof KubeError && error.code === "CommandFailed") {
      throw new KubeError(
        "CommandFailed",
        `the container has no tar, without which only single files can be copied: ${error.rawMessage}`,
        { cause: error },
      );
    }
    throw error;
  }
  return extraction.result;
}

async function* contentOf(
  files: PodFiles,
  path: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of outputOf(files, ["cat", "--", path])) {
    bytes += chunk.byteLength;
    yield chunk;
  }
  const stated = await sizeOf(files, path);
  if (stated !== undefined && stated !== bytes) {
    throw new KubeError("Decode", `the file was cut off: ${bytes} of ${stated} bytes came`);
  }
}

/** Counts the bytes of a file in the container; `undefined` where it has no `wc`. */
async function sizeOf({ target, options }: PodFiles, path: string): Promise<number | undefined> {
  try {
    const { stdout } = (await exec(target, ["wc", "-c", "--", path], options)) as ExecOutput;
    const [, digits] = /^\s*(\d+)\s/.exec(stdout.toString()) ?? [];
    return digits === undefined ? undefined : Number(digits);
  } catch (error) {
    if (error instanceof KubeError && error.code === "InternalError") {
      return undefined;
    }
    throw error;
  }
}
