import type { Writable } from "node:stream";
import { KubeError } from "@typekube/core";
import { diagnostics, monotonicNow, type StreamIdentity } from "@typekube/core/internal";
import { keepAlive, type WebSocketConnection } from "@typekube/transport/internal";
import { AwaitedPromise } from "./awaited-promise.js";
import { channels } from "./channels.js";
import type { SocketMessage } from "./join-log.js";
import { OutputStream } from "./output-stream.js";
import type { SessionFacts } from "./session-facts.js";
import { assertTerminalSize, type StdinSource, type TerminalSize } from "./session-options.js";
import { exitCodeOf, malformed, StatusReader } from "./session-status.js";
import { chunksOf } from "./stdin-source.js";
import { canEndInput, endInput, sendInput, stdinStream } from "./stdin-stream.js";

const opened = diagnostics("typekube:stream.open");
const ignored = diagnostics("typekube:stream.ignored");
const closed = diagnostics("typekube:stream.close");

/** Milliseconds between two pings. (client-go `remotecommand/websocket.go`: 5 s) */
const pingMs = 5_000;
/** Milliseconds without a sign of the server after which a session is lost. (client-go: 12 pings and 1 s) */
const silentMs = 61_000;

/** Milliseconds in which a server must close the connection after it has sent the status. */
const closeWithinMs = 10_000;

/** How a process ended. */
export interface SessionResult<Code extends number | undefined = number> {
  /**
   * Exit code of the process; 137 when it was killed. After `attach` it is `undefined` when the pod did not state it
   * within 5 seconds.
   */
  readonly exitCode: Code;
}

/**
 * A process in a container: a command that `exec` started, or the main process after `attach`. Leave it with
 * `await using`, `close()`, or by waiting for its result. The protocol has no way to kill the process: closing only
 * disconnects.
 */
export class PodSession<Code extends number | undefined = number> implements AsyncDisposable {
  /** Name of the pod. */
  readonly pod: string;
  /** Name of the container; `undefined` when the server chose it. */
  readonly container: string | undefined;
  /** Subprotocol that the server selected, such as `v5.channel.k8s.io`. */
  readonly protocol: string;
  /** Input of the process; `undefined` unless the session was started with `stdin: true`. */
  readonly stdin: Writable | undefined;
  /** Output of the process. Empty when it was not requested. */
  readonly stdout: OutputStream = new OutputStream();
  /** Error output of the process. Empty with a terminal, and when it was not requested. */
  readonly stderr: OutputStream = new OutputStream();
  /**
   * Resolves with the exit code once the process has ended. While a caller awaits it, unread output without a reader is
   * dropped; otherwise the process waits when a megabyte of it is unread.
   *
   * @throws {KubeError} why the session ended without an exit code: the server's failure, `ConnectionClosed`,
   * `Timeout`, `Decode`, or the reason of the signal.
   */
  readonly result: Promise<SessionResult<Code>>;
  readonly #connection: WebSocketConnection;
  readonly #facts: SessionFacts<Code>;
  readonly #status = new StatusReader();
  readonly #startedAt: number;
  readonly #bytes = { stdin: 0, stdout: 0, stderr: 0 };
  readonly #identity: StreamIdentity;
  #isAwaited = false;
  #failure: unknown;
  #cancelTimeout = () => {};
  #cancelClose = () => {};
  readonly #onAbort = () => this.#fail(this.#facts.signal?.reason);

  constructor(connection: WebSocketConnection, facts: SessionFacts<Code>) {
    const { context, streams, hasStdinStream, sessionTimeoutMs } = facts;
    this.#connection = connection;
    this.#facts = facts;
    this.pod = facts.pod;
    this.container = facts.container;
    this.protocol = connection.protocol;
    this.#startedAt = monotonicNow(context.clock);
    const { kind, namespace, pod, container } = facts;
    this.#identity = { kind, namespace, pod, container, protocol: connection.protocol };
    if (hasStdinStream) {
      this.stdin = stdinStream({
        send: (bytes) => this.#sendInput(bytes),
        end: () => this.#endInput(),
      });
      this.stdin.on("error", (error) => this.#fail(error));
    }
    if (!streams.stdout) {
      this.stdout.push(null);
    }
    if (!streams.stderr) {
      this.stderr.push(null);
    }
    keepAlive(connection, { clock: context.clock, pingMs, silentMs });
    if (sessionTimeoutMs !== undefined && sessionTimeoutMs > 0) {
      const over = () =>
        this.#fail(
          new KubeError("DeadlineExceeded", `the session took more than ${sessionTimeoutMs} ms`),
        );
      this.#cancelTimeout = context.clock.schedule(sessionTimeoutMs, over);
    }
    facts.signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (opened.hasSubscribers) {
      opened.publish({ stream: this.#identity });
    }
    this.result = new AwaitedPromise(this.#run(), () => {
      this.#isAwaited = true;
      this.#discardUnread();
    });
  }

  /** `true` when `stdin.end()` lets the process see the end of its input; servers before 1.30 cannot do that. */
  get canCloseStdin(): boolean {
    return canEndInput(this.#connection);
  }

  /**
   * Tells the process that its terminal has another size.
   *
   * @throws {KubeError} `InvalidState` for a session without a terminal; `InvalidArgument` for an invalid size.
   */
  async resize(size: TerminalSize): Promise<void> {
    if (!this.#facts.streams.tty) {
      throw new KubeError("InvalidState", "the session has no terminal", { hint: "set tty: true" });
    }
    assertTerminalSize(size);
    const { width, height } = size;
    const message = Buffer.from(JSON.stringify({ Width: width, Height: height }));
    await this.#connection.send(message, { channel: channels.resize });
  }

  /** Disconnects, unless the process has ended. The process goes on. Idempotent. */
  async close(): Promise<void> {
    this.#fail(new KubeError("Aborted", "the session was closed"));
    await this.#connection.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @internal Sends a finite input and then ends stdin. The session fails when the input does. */
  async sendAll(source: StdinSource): Promise<void> {
    try {
      for await (const chunk of chunksOf(source)) {
        await this.#sendInput(chunk);
        if (this.#connection.closed.aborted) {
          return;
        }
      }
      await this.#endInput();
    } catch (error) {
      this.#fail(error);
    }
  }

  #sendInput(bytes: Uint8Array): Promise<void> {
    this.#bytes.stdin += bytes.byteLength;
    return sendInput(this.#connection, bytes);
  }

  #endInput(): Promise<void> {
    return endInput(this.#connection, this.#facts.isDisconnecting);
  }

  /** Ends the session with an error, unless it has ended. */
  #fail(error: unknown): void {
    if (this.#failure === undefined && this.#status.status === undefined) {
      this.#failure = error;
      this.#connection.close();
      this.#endStreams(error);
    }
  }

  async #run(): Promise<SessionResult<Code>> {
    try {
      await this.#readMessages();
      const code = await this.#exitCode();
      const { readExitCode } = this.#facts;
      const exitCode = readExitCode === undefined ? (code as Code) : await readExitCode(code);
      this.#endStreams(undefined);
      this.#publishEnd({});
      return { exitCode };
    } catch (error) {
      this.#endStreams(error);
      this.#publishEnd({ error });
      throw error;
    } finally {
      this.#cancelTimeout();
      this.#cancelClose();
      this.#facts.signal?.removeEventListener("abort", this.#onAbort);
      this.#connection.close();
    }
  }

  async #readMessages(): Promise<void> {
    const joined = await this.#facts
      .joinLog?.(this.#connection, (bytes) => this.#deliver("stdout", bytes))
      .catch((error: unknown) => {
        throw this.#failure ?? error;
      });
    for (const message of joined?.messages ?? []) {
      await this.#readMessage(message);
    }
    let next = joined?.pending ?? this.#connection.next();
    for (let message = await next; message !== undefined; message = await next) {
      await this.#readMessage(message);
      next = this.#connection.next();
    }
  }

  async #readMessage(message: SocketMessage): Promise<void> {
    if (message.kind === "text") {
      throw new KubeError(
        "Decode",
        "the server sent a text in a session, whose messages are binary",
      );
    }
    const { bytes } = message;
    if (bytes.byteLength > 1) {
      await this.#onMessage(bytes[0] as number, bytes.subarray(1));
    }
  }

  #onMessage(channel: number, bytes: Buffer): Promise<void> | undefined {
    switch (channel) {
      case channels.stdout:
        return this.#deliver("stdout", bytes);
      case channels.stderr:
        return this.#deliver("stderr", bytes);
      case channels.error:
        this.#status.read(bytes);
        this.#closeSoon();
        return undefined;
      default:
        // The protocol may gain channels; those of today are for clients only.
        if (ignored.hasSubscribers) {
          ignored.publish({ stream: this.#identity, channel });
        }
        return undefined;
    }
  }

  /** Reads on after the status until the server closes the connection, for a limited time. */
  #closeSoon(): void {
    this.#cancelClose();
    this.#cancelClose = this.#facts.context.clock.schedule(
      closeWithinMs,
      () => {
        if (this.#connection.isPaused) {
          this.#closeSoon();
        } else {
          this.#connection.destroy();
        }
      },
      true,
    );
  }

  #deliver(name: "stderr" | "stdout", bytes: Buffer): Promise<void> | undefined {
    const stream = this[name];
    if (stream.readableEnded || !this.#facts.streams[name]) {
      return undefined;
    }
    this.#bytes[name] += bytes.byteLength;
    const room = stream.deliver(bytes);
    if (room !== undefined) {
      this.#discardUnread();
    }
    return room;
  }

  /** Output without a reader must not delay a result that a caller awaits. */
  #discardUnread(): void {
    if (this.#isAwaited) {
      this.stdout.discardIfUnread();
      this.stderr.discardIfUnread();
    }
  }

  async #exitCode(): Promise<number> {
    const { signal } = this.#facts;
    const { status, isMalformed } = this.#status;
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    if (status !== undefined) {
      return exitCodeOf(status);
    }
    signal?.throwIfAborted();
    const { code, reason, error } = await this.#connection.ended;
    if (error instanceof KubeError) {
      throw error;
    }
    if (isMalformed) {
      throw malformed("it is not JSON");
    }
    const why = reason === "" ? "" : `: ${reason}`;
    throw new KubeError(
      "ConnectionClosed",
      code === 1000 || code === 1005
        ? "the session ended without a status"
        : `the connection of the session was lost (WebSocket close code ${code})${why}`,
      { cause: error, hint: "the process may still run" },
    );
  }

  #publishEnd(outcome: { readonly error?: unknown }): void {
    if (closed.hasSubscribers) {
      const durationMs = monotonicNow(this.#facts.context.clock) - this.#startedAt;
      closed.publish({ stream: this.#identity, bytes: { ...this.#bytes }, durationMs, ...outcome });
    }
  }

  #endStreams(error: unknown): void {
    for (const stream of [this.stdout, this.stderr]) {
      if (error === undefined) {
        stream.push(null);
      } else {
        stream.destroy(error instanceof Error ? error : KubeError.from(error, "Aborted"));
      }
    }
    if (error !== undefined) {
      this.stdin?.destroy(error instanceof Error ? error : undefined);
    }
  }
}
