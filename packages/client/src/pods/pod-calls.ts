import { loadOnce } from "@typekube/core/internal";
import { callOptionsOf } from "../options/call-options-of.js";
import type { CopyResult } from "../pod-files/copy-result.js";
import type {
  CopyFromOptions,
  CopyToOptions,
  ReadFileOptions,
  WriteFileOptions,
} from "../pod-files/file-options.js";
import type { LogEvent } from "../pod-logs/log-event.js";
import type { LogForms, LogOptions } from "../pod-logs/log-options.js";
import { type LogLines, LogStream } from "../pod-logs/log-stream.js";
import type { PortForward, PortForwardOptions } from "../pod-ports/port-forward.js";
import type { AttachOptions } from "../pod-sessions/attach.js";
import type { ExecOutput } from "../pod-sessions/command-output.js";
import type { ExecOptions, ExecSessionOptions } from "../pod-sessions/exec-options.js";
import type { PodSession } from "../pod-sessions/session.js";
import type { StdinSource } from "../pod-sessions/session-options.js";
import type { SessionResult } from "../pod-sessions/session-result.js";
import type { TerminalOptions } from "../pod-sessions/terminal.js";
import type { PodSource } from "../pod-target/pod-source.js";

const loadExec = loadOnce(() => import("../pod-sessions/exec.js"));
const loadAttach = loadOnce(() => import("../pod-sessions/attach.js"));
const loadTerminal = loadOnce(() => import("../pod-sessions/terminal.js"));
const loadLogs = loadOnce(() => import("../pod-logs/logs.js"));
const loadPortForward = loadOnce(() => import("../pod-ports/port-forward.js"));
const loadCopyFrom = loadOnce(() => import("../pod-files/copy-from.js"));
const loadCopyTo = loadOnce(() => import("../pod-files/copy-to.js"));
const loadReadFile = loadOnce(() => import("../pod-files/read-file.js"));
const loadWriteFile = loadOnce(() => import("../pod-files/write-file.js"));

/** Calls into a pod. Each loads its code when it is used the first time. */
export class PodCalls {
  readonly #source: PodSource;

  /** @param source - finds the pod; `client.resource(Pod, namespace).named(name)` has one. */
  constructor(source: PodSource) {
    this.#source = source;
  }

  /** Name of the pod, or of the object whose pods are meant. */
  get name(): string {
    return this.#source.name;
  }

  /** Namespace of the pod. */
  get namespace(): string {
    return this.#source.namespace;
  }

  /**
   * Runs a command in a container and returns the session. The command is an array of words; no shell is involved unless
   * it is the command.
   *
   * @example
   * ```ts
   * await using shell = await pod.exec(["sh"], { stdin: true });
   * shell.stdin?.end("uname -a\n");
   * console.log(await shell.stdout.text());
   * ```
   *
   * @throws {KubeError} the server's refusal: `NotFound`, `Forbidden`, `BadRequest` for a container that does not run;
   * `InvalidArgument` for an invalid command or option. A session is never started twice: the command may have run.
   */
  exec(
    command: readonly string[],
    options: ExecSessionOptions &
      ({ readonly session: true } | { readonly stdin: true } | { readonly tty: true }),
  ): Promise<PodSession>;
  /** Runs a command and returns its output as bytes. */
  exec(
    command: readonly string[],
    options: ExecOptions & { readonly output: "bytes" },
  ): Promise<ExecOutput<Buffer>>;
  /**
   * Runs a command and returns its exit code and its output. An exit code other than 0 is a result, unless `check` is
   * set.
   *
   * @example
   * ```ts
   * const { exitCode, stdout } = await pod.exec(["ls", "/data"]);
   * ```
   *
   * @throws {KubeError} like a session; `CommandFailed` with `check`; `TooLarge` above `maxOutputBytes`.
   */
  exec(command: readonly string[], options?: ExecOptions): Promise<ExecOutput>;
  async exec(
    command: readonly string[],
    options: ExecOptions | ExecSessionOptions = {},
  ): Promise<unknown> {
    const { exec } = await loadExec();
    return exec(await this.#source.choose(callOptionsOf(options)), command, options);
  }

  /**
   * Attaches to the main process of a container. The exit code of the result comes from the pod, since the protocol does
   * not state it.
   *
   * @throws {KubeError} like a session of {@link exec}; `InvalidArgument` when `tty` differs from the container's.
   */
  async attach(options: AttachOptions = {}): Promise<PodSession<number | undefined>> {
    const { attach } = await loadAttach();
    return attach(await this.#source.choose(callOptionsOf(options)), options);
  }

  /** Runs a command on the terminal of this process. The exit code is `undefined` after its detach keys. */
  terminal(
    command: readonly string[],
    options: TerminalOptions & { readonly detachKeys: string },
  ): Promise<SessionResult<number | undefined>>;
  /**
   * Runs a command on the terminal of this process, as `kubectl exec -it`: each key goes to the command, Ctrl-C too. The
   * terminal is restored however it ends.
   *
   * @throws {KubeError} `InvalidState` when stdin or stdout is not a terminal; like a session of {@link exec}.
   */
  terminal(command: readonly string[], options?: TerminalOptions): Promise<SessionResult>;
  async terminal(command: readonly string[], options: TerminalOptions = {}): Promise<unknown> {
    const { terminal } = await loadTerminal();
    return terminal(await this.#source.choose(callOptionsOf(options)), command, options);
  }

  /** Yields the lines of a log with their times, and marks between them: a restart, or a gap where lines may be missing. */
  logs(options: LogOptions & { readonly events: true }): LogLines<LogEvent>;
  /** Yields the JSON value of each line; a line that is not JSON is yielded as its text. */
  logs(options: LogOptions & { readonly json: true }): LogLines<unknown>;
  /** Yields the bytes of each line. */
  logs(options: LogOptions & { readonly raw: true }): LogLines<Buffer>;
  /**
   * Yields the lines of a container's log as text, without their ends. A line over 1 MiB is yielded in parts. With
   * `follow` it waits for new lines, and resumes after the last one when a connection breaks; lines that could not be read
   * then are a warning, or a `gap` with `events: true`. Ending the loop closes the connection.
   *
   * @example
   * ```ts
   * for await (const line of pod.logs({ follow: true, tailLines: 10 })) console.log(line);
   * ```
   *
   * @throws {KubeError} from the first `next()`: the server's refusal, such as `BadRequest` for a container that waits;
   * `InvalidArgument` for invalid options. Later, for a log that is not followed, the failure of the connection.
   */
  logs(options?: LogOptions): LogLines<string>;
  logs(options: LogForms & LogOptions = {}): LogLines<unknown> {
    return new LogStream(async (signal) => {
      const { logs } = await loadLogs();
      return logs(this.#source, options, signal);
    }, options?.signal);
  }

  /**
   * Forwards a port: connections without a local port by `socket()`, or a local port by `listen()`.
   *
   * @example
   * ```ts
   * await using forward = await pod.portForward("http");
   * const { url } = await forward.listen(0);
   * console.log(await (await fetch(url)).text());
   * ```
   *
   * @param port - number or name of the pod's port, or kubectl's `"8080:80"`, whose first number is the local one.
   * @throws {KubeError} the server's refusal; `InvalidArgument` for a port that is invalid, unknown or not TCP.
   */
  async portForward(port: number | string, options: PortForwardOptions = {}): Promise<PortForward> {
    const { portForward } = await loadPortForward();
    return portForward(this.#source, port, options);
  }

  /**
   * Copies a file or directory from a container, with its `tar`. The outcomes are those of `kubectl cp`: a directory
   * becomes the local directory, or its contents are merged into it. A file is copied to the local path, and into it
   * when that is an existing directory, where kubectl fails. Parents of the local path are created.
   *
   * The container is not trusted: nothing outside of the local path is created, and links are not followed. Modes and
   * times are kept, owners by root only, and never the set-user-ID bits. Files that exist are replaced when the new
   * content is complete. A copy that is cut off is resumed.
   *
   * Without `tar` in the container a single file is copied by `cat`, without its mode and time.
   *
   * @example
   * ```ts
   * const { files, bytes, skipped } = await pod.copyFrom("/var/log/app", "./logs");
   * ```
   *
   * @param remote - path in the container, absolute or relative to its working directory. `dir/.` is what is in `dir`.
   * @throws {KubeError} like a session of {@link exec}; `CommandFailed` when tar fails or is missing; `Decode` for an
   * archive that is invalid or cut off; `TooLarge` above `maxFiles` or `maxBytes`; `InvalidState` when a local file
   * cannot be written. What was complete by then stays.
   */
  async copyFrom(
    remote: string,
    local: string,
    options: CopyFromOptions = {},
  ): Promise<CopyResult> {
    const { copyFrom } = await loadCopyFrom();
    return copyFrom(await this.#source.choose(callOptionsOf(options)), remote, local, options);
  }

  /**
   * Copies a local file or directory to a container, with its `tar`. As with `kubectl cp`, an existing directory takes
   * the source into itself; any other path is the new name of the source, in a directory that exists. Symbolic links are
   * copied as they are; FIFOs, sockets and devices are skipped. Modes of files are kept, times with `preserve`; a tar that
   * runs as root keeps the owner's number, too. Never retried.
   *
   * Without `tar` in the container a single file is written by its shell.
   *
   * @param local - path of the source. `dir/.` is what is in `dir`; a `/` behind a link means what it leads to.
   * @param remote - path in the container, absolute or relative to its working directory.
   * @throws {KubeError} like a session of {@link exec}; `InvalidArgument` when `local` does not exist; `CommandFailed`
   * when tar fails or is missing; `InvalidState` when a local file cannot be read or changes its size.
   */
  async copyTo(local: string, remote: string, options: CopyToOptions = {}): Promise<CopyResult> {
    const { copyTo } = await loadCopyTo();
    return copyTo(await this.#source.choose(callOptionsOf(options)), local, remote, options);
  }

  /** Reads a file of a container and decodes it as UTF-8. */
  readFile(path: string, options: ReadFileOptions & { readonly output: "text" }): Promise<string>;
  /**
   * Reads a file of a container, with its `cat`. For large files use {@link copyFrom}, which also notices a content that
   * was cut off by the server.
   *
   * @throws {KubeError} like a session of {@link exec}; `CommandFailed` when it cannot be read; `TooLarge` above
   * `maxBytes`.
   */
  readFile(path: string, options?: ReadFileOptions): Promise<Buffer>;
  async readFile(path: string, options: ReadFileOptions = {}): Promise<unknown> {
    const { readFile } = await loadReadFile();
    return readFile(await this.#source.choose(callOptionsOf(options)), path, options);
  }

  /**
   * Writes a file of a container, with its shell. Its readers see the old content or the new one: the data goes to
   * another name in the same directory, which is renamed when all bytes are there. A link is replaced, not written
   * through.
   *
   * @example
   * ```ts
   * await pod.writeFile("/etc/app/token", token, { mode: 0o600 });
   * ```
   *
   * @throws {KubeError} like a session of {@link exec}; `CommandFailed` when it cannot be written; `InvalidArgument` for
   * a directory; `TooLarge` above `maxBytes`.
   */
  async writeFile(path: string, data: StdinSource, options: WriteFileOptions = {}): Promise<void> {
    const { writeFile } = await loadWriteFile();
    return writeFile(await this.#source.choose(callOptionsOf(options)), path, data, options);
  }
}
