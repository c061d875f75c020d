import type { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { KubeError } from "@typekube/core";
import { flag, milliseconds, type OptionTable, oneOf, text } from "@typekube/core/internal";
import { type CallOptions, callOptions } from "../options/call-options.js";

/** Input for a process: a text, bytes, or a stream of either. */
export type StdinSource =
  | AsyncIterable<Uint8Array | string>
  | Readable
  | ReadableStream<Uint8Array | string>
  | Uint8Array
  | string;

/** Size of a terminal in characters: integers from 1 to 65,535. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** Options of all sessions: exec and attach. */
export interface SessionOptions extends CallOptions {
  /**
   * Container of the pod: a regular, init or ephemeral one. Default: the one that the annotation
   * `kubectl.kubernetes.io/default-container` names, else the first.
   */
  readonly container?: string | undefined;
  /**
   * `true` waits until the container runs, for as long as `timeoutMs` allows; a container that has ended for good is an
   * error at once. Default false.
   */
  readonly waitReady?: boolean | undefined;
  /** `false` leaves standard output out. Default true. */
  readonly stdout?: boolean | undefined;
  /** `false` leaves standard error out. Default true; with a terminal it is part of standard output. */
  readonly stderr?: boolean | undefined;
  /** Size of the terminal at the start. Needs `tty`. Default: the container's own. */
  readonly size?: TerminalSize | undefined;
  /** Milliseconds after which the session ends with `DeadlineExceeded`. Default: no limit; `timeoutMs` limits the start only. */
  readonly sessionTimeoutMs?: number | undefined;
  /**
   * How the end of `stdin` is announced to servers before 1.30, whose protocol cannot: `refuse` does not start the session,
   * `disconnect` ends the whole session, so that output after the end of the input is lost. Default `refuse`.
   */
  readonly stdinEnd?: "disconnect" | "refuse" | undefined;
}

/** Names and checks of {@link SessionOptions}. */
export const sessionOptions: OptionTable<SessionOptions> = {
  ...callOptions,
  container: text,
  sessionTimeoutMs: milliseconds,
  size: {
    mustBe: "a size such as { width: 80, height: 24 }",
    hint: "both are integers from 1 to 65535",
    isValid: isTerminalSize,
  },
  stderr: flag,
  stdinEnd: oneOf("disconnect", "refuse"),
  stdout: flag,
  waitReady: flag,
};

function isTerminalSize(value: unknown): value is TerminalSize {
  const { width, height } = (value ?? {}) as Partial<TerminalSize>;
  return isLength(width) && isLength(height);
}

function isLength(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 65_535;
}

/** @throws {KubeError} `InvalidArgument` for a size that no terminal has. */
export function assertTerminalSize(size: unknown): asserts size is TerminalSize {
  if (!isTerminalSize(size)) {
    throw new KubeError("InvalidArgument", "the size of a terminal must be 1 to 65535 characters", {
      hint: "such as { width: 80, height: 24 }",
    });
  }
}

/** The streams of a session, as the request names them. */
export interface SessionStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/**
 * Returns the streams that the options request.
 *
 * @throws {KubeError} `InvalidArgument` when they request none, or a combination that servers reject.
 */
export function sessionStreams(
  options: SessionOptions & { readonly tty?: boolean | undefined },
  stdin: boolean,
): SessionStreams {
  const { tty = false, stdout = true, size } = options;
  if (tty && options.stderr === true) {
    throw new KubeError("InvalidArgument", "stderr: a terminal has one output, stdout", {
      hint: "omit stderr, or tty",
    });
  }
  if (size !== undefined && !tty) {
    throw new KubeError("InvalidArgument", "size: needs tty: true");
  }
  const stderr = tty ? false : (options.stderr ?? true);
  if (!stdin && !stdout && !stderr) {
    throw new KubeError("InvalidArgument", "a session needs stdin, stdout or stderr");
  }
  return { stdin, stdout, stderr, tty };
}
