import type { ExecOutput } from "@typekube/client";
import type { loadSessions } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import type { ContainerSession } from "./container-session.js";
import type { ContainerOutput, RunPodOptions } from "./one-off-options.js";

/** Characters of the output in the error of a container that failed. */
const maxShownOutput = 4 * 1024;

/**
 * Collects the output of a container until it has ended.
 *
 * @throws {KubeError} `TooLarge` above `maxOutputBytes`; `CommandFailed` with `check`.
 */
export async function collectOutput(
  session: ContainerSession,
  options: Pick<RunPodOptions, "check" | "maxOutputBytes" | "output">,
  { withOutput, defaultMaxOutputBytes }: Awaited<ReturnType<typeof loadSessions>>,
): Promise<ContainerOutput<Buffer | string>> {
  const { maxOutputBytes = defaultMaxOutputBytes, output = "text", check = false } = options;
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let left = maxOutputBytes;
  const read = async (name: "stderr" | "stdout") => {
    for await (const chunk of session[name] as AsyncIterable<Buffer>) {
      chunks[name].push(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left < 0) {
        throw new KubeError("TooLarge", `the output is larger than ${maxOutputBytes} bytes`, {
          hint: "raise maxOutputBytes, or read the streams of a session",
        });
      }
    }
  };
  const textOf = (name: "stderr" | "stdout") => Buffer.concat(chunks[name]).toString("utf8");
  const made = (exitCode: number): ExecOutput<Buffer | string> =>
    output === "bytes"
      ? { exitCode, stdout: Buffer.concat(chunks.stdout), stderr: Buffer.concat(chunks.stderr) }
      : { exitCode, stdout: textOf("stdout"), stderr: textOf("stderr") };
  try {
    await Promise.all([read("stdout"), read("stderr")]);
  } catch (error) {
    await session.close();
    throw error instanceof KubeError && error.code === "TooLarge"
      ? withOutput(error, made(-1))
      : error;
  }
  const { exitCode } = await session.result;
  if (check && exitCode !== 0) {
    const shown = (textOf("stderr") || textOf("stdout")).trim().slice(-maxShownOutput);
    const message = `the container exited with ${exitCode}${shown === "" ? "" : `: ${shown}`}`;
    throw withOutput(new KubeError("CommandFailed", message), made(exitCode));
  }
  return { ...made(exitCode), pod: session.pod, container: session.container };
}
