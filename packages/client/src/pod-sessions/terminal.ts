import { KubeError } from "@typekube/core";
import { assertOptionValues } from "@typekube/core/internal";
import type { PodTarget } from "../pod-target/pod-target.js";
import { detachBy, detachKeys as detachKeysCheck } from "./detach-keys.js";
import { startCommand } from "./exec.js";
import type { ExecSessionOptions } from "./exec-options.js";
import type { PodSession } from "./session.js";
import type { SessionResult } from "./session-result.js";

/** The terminal that a session is bound to: the one of the process, or another with the same members. */
export interface TerminalStreams {
  readonly stdin: NodeJS.ReadableStream & {
    readonly isTTY?: boolean;
    readonly isRaw?: boolean;
    setRawMode?(mode: boolean): unknown;
  };
  readonly stdout: NodeJS.WritableStream & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly rows?: number;
  };
}

/** Options of `terminal`. */
export interface TerminalOptions
  extends Omit<
    ExecSessionOptions,
    "session" | "size" | "stderr" | "stdin" | "stdout" | "tty" | "verifyOutput"
  > {
  /**
   * Keys that end the session and let the command go on, such as `ctrl-p,ctrl-q`: characters, `ctrl-` with a letter or one
   * of `@[\\]^_`, or `DEL`, separated by commas. They are not sent. The result has `isDetached: true` then. Default: none.
   */
  readonly detachKeys?: string | undefined;
  /** The terminal to use. Default: `process.stdin` and `process.stdout`. */
  readonly streams?: TerminalStreams | undefined;
}

/** Runs a command on the terminal of this process until the command ends. Neither stream is ever ended. */
export async function terminal(
  target: PodTarget,
  command: readonly string[],
  { streams = process, detachKeys, ...options }: TerminalOptions,
): Promise<SessionResult<number | undefined>> {
  assertOptionValues({ detachKeys }, { detachKeys: detachKeysCheck });
  const { stdin, stdout } = streams;
  if (stdin.isTTY !== true || stdout.isTTY !== true || stdin.setRawMode === undefined) {
    throw new KubeError("InvalidState", "stdin and stdout are not a terminal", {
      hint: "use exec(command, { stdin: true, session: true }) for input from a file or a pipe",
    });
  }
  const session = await startCommand<number | undefined>(
    target,
    command,
    { ...options, stdin: true, tty: true, size: sizeOf(stdout) },
    detachBy(detachKeys),
  );
  return bind(session, { stdin, stdout });
}

async function bind(
  session: PodSession<number | undefined>,
  { stdin, stdout }: TerminalStreams,
): Promise<SessionResult<number | undefined>> {
  const wasRaw = stdin.isRaw === true;
  const onResize = () => {
    // A session that has ended needs no size.
    session.resize(sizeOf(stdout)).catch(() => {});
  };
  const onInput = (chunk: Buffer | string) => session.stdin?.write(chunk);
  const onOutput = (chunk: Buffer) => {
    if (!stdout.write(chunk)) {
      session.stdout.pause();
      stdout.once("drain", () => session.stdout.resume());
    }
  };
  const restore = () => stdin.setRawMode?.(wasRaw);
  stdin.setRawMode?.(true);
  process.once("exit", restore);
  stdin.on("data", onInput);
  stdin.resume();
  stdout.on("resize", onResize);
  session.stdout.on("data", onOutput);
  try {
    const result = await session.result;
    await lastOutput(session);
    return result;
  } finally {
    restore();
    process.off("exit", restore);
    stdin.off("data", onInput);
    stdin.pause();
    stdout.off("resize", onResize);
  }
}

function lastOutput({ stdout }: PodSession<number | undefined>): Promise<void> {
  return new Promise((resolve) => {
    if (stdout.readableEnded || stdout.destroyed) {
      resolve();
    } else {
      stdout.once("close", () => resolve());
    }
  });
}

/** A terminal that does not know its size, such as a serial one, states 0. */
function sizeOf({ columns, rows }: TerminalStreams["stdout"]) {
  return { width: columns || 80, height: rows || 24 };
}
