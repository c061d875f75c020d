import { KubeError } from "@typekube/core";
import type { PodSession } from "../pod-sessions/session.js";
import type { SessionOptions } from "../pod-sessions/session-options.js";
import { startSession } from "../pod-sessions/start-session.js";
import type { PodFiles } from "./pod-files.js";

/** Characters of a command's stderr that are kept: its end. */
const maxStderr = 4 * 1024;

/** Exit codes of a shell and of runtimes for a program that is missing. */
const missingCodes: readonly number[] = [126, 127];

/** How a command ended. */
export interface Ended {
  readonly exitCode: number;
  /** End of the error output. */
  readonly stderr: string;
}

/** A command in a container, whose input and output are streams. */
export interface PodCommand {
  readonly session: PodSession;
  /** Waits until the command has ended. Unread output is dropped from then on. */
  ended(): Promise<Ended>;
}

/**
 * Starts a command.
 *
 * @throws {KubeError} the server's refusal.
 */
export async function startInPod(
  { target, options }: PodFiles,
  command: readonly string[],
  session: SessionOptions & { readonly stdin?: boolean } = {},
): Promise<PodCommand> {
  const { stdin = false, ...more } = session;
  const started = await startSession(target, {
    kind: "exec",
    command,
    stdin,
    options: { ...options, ...more },
  });
  let stderr = "";
  started.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("latin1")).slice(-maxStderr);
  });
  const stderrEnded = new Promise<void>((resolve) => started.stderr.once("close", resolve));
  return {
    session: started,
    async ended() {
      const { exitCode } = await started.result;
      await stderrEnded;
      return { exitCode, stderr: Buffer.from(stderr, "latin1").toString("utf8").trim() };
    },
  };
}

/** Runs a command without input, and drops its output. */
export async function runInPod(
  files: PodFiles,
  command: readonly string[],
  session: SessionOptions = {},
): Promise<Ended & { readonly protocol: string }> {
  const { session: started, ended } = await startInPod(files, command, session);
  return { ...(await ended()), protocol: started.protocol };
}

/** Programs that errors tell to be missing. */
const missing = new WeakMap<KubeError, string>();

/** Returns the error for a program that a container lacks. */
function missingProgram(program: string, cause: unknown): KubeError {
  const error = new KubeError("CommandFailed", `the container has no ${program}`, {
    cause: cause instanceof Error ? cause : undefined,
    hint: "add it to the image, or use an ephemeral container that has it",
  });
  missing.set(error, program);
  return error;
}

/** Returns `true` for an error of {@link missingProgram} about this program. */
export function isMissingProgram(error: unknown, program: string): boolean {
  return error instanceof KubeError && missing.get(error) === program;
}

/**
 * Waits for the end of a command.
 *
 * @param program - the one that does the work.
 * @param shell - a program that starts it. Default: none.
 * @throws {KubeError} `CommandFailed` when it fails, or one of both is missing.
 */
export async function succeeds(
  program: string,
  command: Pick<PodCommand, "ended">,
  shell?: string,
): Promise<void> {
  let end: Ended;
  try {
    end = await command.ended();
  } catch (error) {
    const absent = [program, shell ?? program].find((name) => isMissing(error, name));
    throw absent === undefined ? error : missingProgram(absent, error);
  }
  if (program !== "sh" && missingCodes.includes(end.exitCode)) {
    throw missingProgram(program, undefined);
  }
  if (end.exitCode !== 0) {
    throw commandFailed(program, end);
  }
}

/** Returns `true` for the error of a runtime that cannot start a program, because the container lacks it. */
function isMissing(error: unknown, program: string): boolean {
  const message = error instanceof KubeError ? error.rawMessage : "";
  return (
    /not found|no such file/i.test(message) &&
    [`"${program}"`, `'${program}'`, `\`${program}\``].some((name) => message.includes(name))
  );
}

/** Returns the error for a command that failed. */
function commandFailed(program: string, { exitCode, stderr }: Ended): KubeError {
  const output = stderr === "" ? "" : `: ${stderr}`;
  return new KubeError("CommandFailed", `${program} exited with ${exitCode}${output}`);
}
