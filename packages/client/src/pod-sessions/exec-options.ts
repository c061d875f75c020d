import { KubeError } from "@typekube/core";
import { assertOptions, flag, integerFrom, type OptionTable, oneOf } from "@typekube/core/internal";
import { type SessionOptions, type StdinSource, sessionOptions } from "./session-options.js";
import { isStdinSource } from "./stdin-source.js";

/** Default maximum of collected output in bytes, of both streams together. */
export const defaultMaxOutputBytes: number = 64 * 1024 * 1024;

/** Options of commands. */
export interface CommandOptions extends SessionOptions {
  /**
   * Fate of the command when the session ends before it: by the signal, a timeout, `close()`, or a lost connection. The
   * protocol only disconnects. `terminate` sends it SIGTERM by a second command, and SIGKILL after 10
   * seconds; the call then fails when the first signal was sent, at most 6 seconds later. Best effort: a failure is a
   * warning. Needs `sh` in the container. Default `disconnect`.
   */
  readonly onAbort?: "disconnect" | "terminate" | undefined;
  /**
   * `true` counts the bytes of both outputs in the container and here. A server or proxy that drops the end of the output
   * and still reports success is a `Decode` error then. Needs `sh`, `tee` and `wc` in the container, both outputs, and no terminal.
   * Default false.
   */
  readonly verifyOutput?: boolean | undefined;
}

/** Options of `exec` when it collects the output. */
export interface ExecOptions extends CommandOptions {
  /** Input of the command. Its end is the end of the command's stdin. Default: no stdin. */
  readonly stdin?: StdinSource | undefined;
  /** `bytes` returns the output unchanged. Default `text`: UTF-8. */
  readonly output?: "bytes" | "text" | undefined;
  /** Maximum of the collected output in bytes. Default 64 MiB. */
  readonly maxOutputBytes?: number | undefined;
  /** `true` throws `CommandFailed` for an exit code other than 0. Default false. */
  readonly check?: boolean | undefined;
}

/** Options of `exec` when it returns a session. At least one of `stdin: true`, `tty` and `session` must be set. */
export interface ExecSessionOptions extends CommandOptions {
  /** `true` opens `session.stdin`; a source is sent and then ended. Default: no stdin. */
  readonly stdin?: StdinSource | boolean | undefined;
  /** `true` runs the command on a terminal: one output, and sizes. Default false. */
  readonly tty?: boolean | undefined;
  /** `true` returns a session where neither `stdin` nor `tty` asks for one. Default false. */
  readonly session?: boolean | undefined;
}

/** Names and checks of both. */
export const execOptions: OptionTable<ExecOptions | ExecSessionOptions> = {
  ...sessionOptions,
  check: flag,
  maxOutputBytes: integerFrom(1),
  onAbort: oneOf("disconnect", "terminate"),
  output: oneOf("bytes", "text"),
  session: flag,
  stdin: {
    mustBe: "true, a text, bytes or a stream of either",
    isValid: (value) => typeof value === "boolean" || isStdinSource(value),
  },
  tty: flag,
  verifyOutput: flag,
};

/** Returns `true` for options with which `exec` returns a session. */
export function wantsSession(
  options: ExecOptions | ExecSessionOptions,
): options is ExecSessionOptions {
  const { stdin, tty, session } = options as ExecSessionOptions;
  return stdin === true || tty === true || session === true;
}

/**
 * Validates a command and its options.
 *
 * @throws {KubeError} `InvalidArgument` that names the problem; the command's words are not part of it.
 */
export function assertExec(
  command: readonly string[],
  options: ExecOptions | ExecSessionOptions,
): void {
  if (!Array.isArray(command) || command.length === 0) {
    throw new KubeError("InvalidArgument", "the command must be an array of at least one word", {
      hint: 'such as ["ls", "-l"]; a shell is a command, too: ["sh", "-c", script]',
    });
  }
  const invalid = command.findIndex((word) => !isWord(word));
  if (invalid >= 0) {
    throw new KubeError(
      "InvalidArgument",
      `word ${invalid} of the command must be a text without NUL characters and halves of characters`,
    );
  }
  assertOptions("exec()", options, execOptions);
  assertWrappers(options);
}

/** A lone surrogate would be sent as another character. */
function isWord(word: unknown): boolean {
  return typeof word === "string" && !word.includes("\0") && Buffer.from(word).toString() === word;
}

/** A wrapper needs the outputs that it writes to. */
function assertWrappers(options: ExecOptions | ExecSessionOptions): void {
  const { stdout = true, stderr = true, onAbort, verifyOutput } = options;
  const { tty = false } = options as ExecSessionOptions;
  if (verifyOutput && (tty || !stdout || !stderr)) {
    throw new KubeError("InvalidArgument", "verifyOutput: needs stdout and stderr, without tty", {
      hint: "a terminal changes the output, so that its bytes cannot be compared",
    });
  }
  if (onAbort === "terminate" && !stdout && (tty || !stderr)) {
    throw new KubeError("InvalidArgument", "onAbort: terminate needs stdout or stderr");
  }
}
