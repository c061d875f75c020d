import { assertOptions } from "@typekube/core/internal";
import type { PodTarget } from "../pod-target/pod-target.js";
import { copyByCat } from "./copy-by-cat.js";
import type { CopyResult } from "./copy-result.js";
import { Extraction } from "./extraction.js";
import { type CopyFromOptions, copyFromOptions } from "./file-options.js";
import { localError } from "./local-error.js";
import { podArchive } from "./pod-archive.js";
import { type PodFiles, podFiles } from "./pod-files.js";
import { assertPath, divide } from "./remote-path.js";
import { isMissingProgram } from "./run-in-pod.js";
import { defaultTarLimits } from "./tar/tar-limits.js";
import { tarMembers } from "./tar/tar-reader.js";

/** Default number of times that a copy is resumed. */
const defaultRetries = 3;

/** Copies a file or directory from a container. */
export async function copyFrom(
  target: PodTarget,
  remote: string,
  local: string,
  options: CopyFromOptions,
): Promise<CopyResult> {
  assertPath("remote", remote);
  assertPath("local", local);
  assertOptions("copyFrom()", options, copyFromOptions);
  const files = await podFiles(target, options);
  try {
    return await copyByTar(files, remote, local, options);
  } catch (error) {
    if (!isMissingProgram(error, "tar")) {
      throw localError(error, `copy to ${JSON.stringify(local)}`);
    }
    return await copyByCat(files, remote, extractionOf(remote, local, options), error);
  }
}

async function copyByTar(
  files: PodFiles,
  remote: string,
  local: string,
  options: CopyFromOptions,
): Promise<CopyResult> {
  const { maxFiles = defaultTarLimits.maxFiles, maxBytes = defaultTarLimits.maxBytes } = options;
  let isComplete = false;
  const archive = podArchive(files, {
    path: remote,
    follows: options.symlinks === "follow",
    isCompressed: options.compress === true,
    retries: options.retries ?? defaultRetries,
    isComplete: () => isComplete,
  });
  const extraction = extractionOf(remote, local, options);
  const onEnd = () => {
    isComplete = true;
  };
  try {
    for await (const member of tarMembers(archive, { maxFiles, maxBytes }, onEnd)) {
      await extraction.add(member);
    }
  } catch (error) {
    if (isComplete) {
      // GNU's tar fails at its end when a file has changed meanwhile, as logs do; everything was copied.
      await extraction.finish().catch(() => {});
    }
    throw error;
  }
  await extraction.finish();
  return extraction.result;
}

function extractionOf(remote: string, local: string, options: CopyFromOptions): Extraction {
  return new Extraction(local, {
    name: divide(remote).name,
    keepsLinks: options.symlinks === "keep",
    keepPartial: options.keepPartial === true,
    maxBytes: options.maxBytes ?? defaultTarLimits.maxBytes,
    onProgress: options.onProgress,
  });
}
