import { KubeError } from "@typekube/core";
import type { PodTarget } from "../pod-target/pod-target.js";
import { type ExecOutput, withOutput } from "./command-output.js";
import type { Detach } from "./detach-keys.js";
import {
  assertExec,
  defaultMaxOutputBytes,
  type ExecOptions,
  type ExecSessionOptions,
  wantsSession,
} from "./exec-options.js";
import type { PodSession } from "./session.js";

import { startSession } from "./start-session.js";
import { wrapCommand } from "./wrap-command.js";

/** Characters of stderr in the error of a failed command. */
const maxShownStderr = 4 * 1024;

/** Runs a command: collects its output, or returns a session. */
export async function exec(
  target: PodTarget,
  command: readonly string[],
  options: ExecOptions | ExecSessionOptions,
): Promise<ExecOutput<Buffer | string> | PodSession> {
  const session = await startCommand(target, command, options);
  return wantsSession(options) ? session : collect(session, options as ExecOptions);
}

/**
 * Starts a command.
 *
 * @param detach - ends the session by keys. Default: none.
 */
export async function startCommand<Code extends number | undefined = number>(
  target: PodTarget,
  command: readonly string[],
  options: ExecOptions | ExecSessionOptions,
  detach?: Detach<Code>,
): Promise<PodSession<Code>> {
  assertExec(command, options);
  const { stdin = false } = options;
  const wrapped = wrapCommand(target, command, options);
  return startSession<Code>(target, { kind: "exec", stdin, options, detach, ...wrapped });
}

async function collect(
  session: PodSession,
  options: ExecOptions,
): Promise<ExecOutput<Buffer | string>> {
  const { maxOutputBytes = defaultMaxOutputBytes, output = "text", check = false } = options;
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const read = (exitCode: number): ExecOutput<Buffer | string> => {
    const [stdout, stderr] = [Buffer.concat(chunks.stdout), Buffer.concat(chunks.stderr)];
    return output === "bytes"
      ? { exitCode, stdout, stderr }
      : { exitCode, stdout: stdout.toString("utf8"), stderr: stderr.toString("utf8") };
  };
  let left = maxOutputBytes;
  let tooLarge: KubeError | undefined;
  for (const name of ["stdout", "stderr"] as const) {
    session[name].on("data", (chunk: Buffer) => {
      chunks[name].push(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left < 0 && tooLarge === undefined) {
        tooLarge = new KubeError("TooLarge", `the output is larger than ${maxOutputBytes} bytes`, {
          hint: "raise maxOutputBytes, or read the streams of a session",
        });
        withOutput(tooLarge, read(-1));
        void session.close();
      }
    });
  }
  const { exitCode } = await session.result.catch((error: unknown) => {
    if (options.verifyOutput && error instanceof KubeError && error.code === "Decode") {
      for (const name of ["stdout", "stderr"] as const) {
        // The stream failed before it emitted them.
        chunks[name].push((session[name].read() as Buffer | null) ?? Buffer.alloc(0));
      }
      withOutput(error, read(-1));
    }
    throw tooLarge ?? error;
  });
  // The last bytes are delivered before the result, but "data" is emitted later.
  await Promise.all([ended(session.stdout), ended(session.stderr)]);
  if (tooLarge !== undefined) {
    throw tooLarge;
  }
  const result = read(exitCode);
  if (check && exitCode !== 0) {
    throw commandFailed(result);
  }
  return result;
}

function ended(stream: PodSession["stdout"]): Promise<void> {
  return new Promise((resolve) => {
    if (stream.readableEnded || stream.destroyed) {
      resolve();
    } else {
      stream.once("close", () => resolve());
      stream.resume();
    }
  });
}

function commandFailed(result: ExecOutput<Buffer | string>): KubeError {
  const stderr = result.stderr.toString().trim().slice(-maxShownStderr);
  const message = `the command exited with ${result.exitCode}${stderr === "" ? "" : `: ${stderr}`}`;
  return withOutput(new KubeError("CommandFailed", message), result);
}
