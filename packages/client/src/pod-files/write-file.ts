import { KubeError } from "@typekube/core";
import { assertOptions } from "@typekube/core/internal";
import type { StdinSource } from "../pod-sessions/session-options.js";
import { chunksOf, isStdinSource } from "../pod-sessions/stdin-source.js";
import type { PodTarget } from "../pod-target/pod-target.js";
import { defaultMaxFileBytes, type WriteFileOptions, writeFileOptions } from "./file-options.js";
import { findDirectory } from "./find-directory.js";
import { podFiles } from "./pod-files.js";
import { assertPath } from "./remote-path.js";
import { writeToPod } from "./write-to-pod.js";

/** Mode of a file when none is given. */
const defaultMode = 0o644;

/** Writes a file of a container. */
export async function writeFile(
  target: PodTarget,
  path: string,
  data: StdinSource,
  options: WriteFileOptions,
): Promise<void> {
  assertPath("path", path);
  assertOptions("writeFile()", options, writeFileOptions);
  if (!isStdinSource(data)) {
    throw new KubeError("InvalidArgument", "data: must be a text, bytes or a stream of either");
  }
  const { mode = defaultMode, maxBytes = defaultMaxFileBytes } = options;
  const bytes = await collected(data, maxBytes);
  const files = await podFiles(target, options);
  const { isDirectory, canEndInput } = await findDirectory(files, path);
  if (isDirectory || path.endsWith("/")) {
    throw new KubeError("InvalidArgument", `path: ${JSON.stringify(path)} is a directory`);
  }
  await writeToPod(files, path, {
    read: () => chunksOf(bytes),
    bytes: bytes.byteLength,
    mode,
    canEndInput,
  });
}

/** The size must be known before the first byte is sent. */
async function collected(data: StdinSource, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(data)) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new KubeError("TooLarge", `the data exceeds ${maxBytes} bytes`, {
        hint: "raise maxBytes, or use copyTo()",
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
