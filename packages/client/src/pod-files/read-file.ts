import { KubeError } from "@typekube/core";
import { assertOptions } from "@typekube/core/internal";
import type { PodTarget } from "../pod-target/pod-target.js";
import { defaultMaxFileBytes, type ReadFileOptions, readFileOptions } from "./file-options.js";
import { outputOf } from "./pod-archive.js";
import { podFiles } from "./pod-files.js";
import { assertPath } from "./remote-path.js";

/** Reads a file of a container. */
export async function readFile(
  target: PodTarget,
  path: string,
  options: ReadFileOptions,
): Promise<Buffer | string> {
  assertPath("path", path);
  assertOptions("readFile()", options, readFileOptions);
  const { maxBytes = defaultMaxFileBytes, output = "bytes" } = options;
  const files = await podFiles(target, options);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of outputOf(files, ["cat", "--", path])) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new KubeError("TooLarge", `the file exceeds ${maxBytes} bytes`, {
        hint: "raise maxBytes, or use copyFrom()",
      });
    }
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  return output === "text" ? whole.toString("utf8") : whole;
}
