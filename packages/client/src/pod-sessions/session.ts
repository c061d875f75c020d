import type { Writable } from "node:stream";
import { KubeError } from "@typekube/core";
import { keepAlive, type WebSocketConnection } from "@typekube/transport/internal";
import { AwaitedPromise } from "./awaited-promise.js";
import { channels } from "./channels.js";
import { endStreams } from "./end-streams.js";
import type { JoinedMessages, JoinLog, SocketMessage } from "./join-log.js";
import { OutputStream } from "./output-stream.js";
import { SessionEvents } from "./session-events.js";
import type { SessionFacts } from "./session-facts.js";
import { assertTerminalSize, type StdinSource, type TerminalSize } from "./session-options.js";
import type { SessionResult } from "./session-result.js";
import { endedWithoutStatus, exitCodeOf, malformed, StatusReader } from "./session-status.js";
import { chunksOf } from "./stdin-source.js";
import { canEndInput, endInput, sendInput, stdinStream } from "./stdin-stream.js";

/** Milliseconds between two pings. (client-go `remotecommand/websocket.go`: 5 s) */
const pingMs = 5_000;
/** Milliseconds without a sign of the server after which a session is lost. (client-go: 12 pings and 1 s) */
const silentMs = 61_000;

/** Milliseconds in which a server must close the connection after it has sent the status. */
const closeWithinMs = 10_000;

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
  readonly #events: SessionEvents;
  #isAwaited = false;
  #isDetached = false;
  #failure: unknown;
  #cancelTimeout = () => {};
  #cancelClose = () => {};
  /** Ends the reading of the log in front of the output. */
  #joining: AbortController | undefined;
  readonly #onAbort = () => this.#fail(this.#facts.signal?.reason);

  constructor(connection: WebSocketConnection, facts: SessionFacts<Code>) {
    const { context, streams, hasStdinStream, sessionTimeoutMs } = facts;
    this.#connection = connection;
    this.#facts = facts;
    this.pod = facts.pod;
    this.container = facts.container;
    this.protocol = connection.protocol;
    const { kind, namespace, pod, container } = facts;
    const identity = { kind, namespace, pod, container, protocol: connection.protocol };
    this.#events = new SessionEvents(identity, context.clock);
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
    this.result = new AwaitedPromise(this.#run(), () => {
      this.#isAwaited = true;
      this.#discardUnread();
    });
    if (facts.signal?.aborted) {
      this.#onAbort();
    }
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

  /** Disconnects, unless the process has ended. The process goes on, unless `onAbort` is set. Idempotent. */
  async close(): Promise<void> {
    this.#fail(new KubeError("Aborted", "the session was closed"));
    this.#isAwaited = true;
    this.#discardUnread();
    await this.#connection.ended;
    if (this.#facts.terminator !== undefined) {
      await this.result.catch(() => {});
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @internal Sends a finite input and then ends stdin. The session fails when the input does. */
  async sendAll(source: StdinSource): Promise<void> {
    try {
      for await (const chunk of chunksOf(source, this.#connection.closed)) {
        await this.#sendInput(chunk);
        if (!this.#connection.isOpen) {
          return;
        }
      }
      await this.#endInput();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #sendInput(bytes: Uint8Array): Promise<void> {
    const { detach } = this.#facts;
    await this.#send(detach === undefined ? bytes : detach.keys.pass(bytes));
    if (detach?.keys.arePressed) {
      this.#detach();
    }
  }

  #send(bytes: Uint8Array): Promise<void> {
    this.#events.bytes.stdin += bytes.byteLength;
    return sendInput(this.#connection, bytes);
  }

  async #endInput(): Promise<void> {
    const { detach, isDisconnecting } = this.#facts;
    if (detach !== undefined && !detach.keys.arePressed) {
      await this.#send(detach.keys.end());
    }
    await endInput(this.#connection, isDisconnecting);
  }

  get #isRunning(): boolean {
    return this.#failure === undefined && !this.#isDetached && this.#status.status === undefined;
  }

  /** Ends the session and lets the process go on, unless it has ended. */
  #detach(): void {
    if (this.#isRunning) {
      this.#isDetached = true;
      this.#connection.close();
      this.#joining?.abort();
      endStreams(this, undefined);
    }
  }

  /** Ends the session with an error, unless it has ended. */
  #fail(error: unknown): void {
    if (this.#isRunning) {
      this.#failure = error;
      this.#joining?.abort(error);
      endStreams(this, error);
      const { terminator } = this.#facts;
      if (terminator === undefined) {
        this.#connection.leave();
      } else {
        void terminator.ready().then(() => this.#connection.leave());
      }
    }
  }

  async #run(): Promise<SessionResult<Code>> {
    try {
      await this.#readMessages();
      const result = await this.#readResult();
      this.#events.end({});
      return result;
    } catch (error) {
      endStreams(this, error);
      if (this.#status.status === undefined) {
        await this.#facts.terminator?.terminate();
      }
      this.#events.end({ error });
      throw error;
    } finally {
      this.#cancelTimeout();
      this.#cancelClose();
      this.#facts.signal?.removeEventListener("abort", this.#onAbort);
      this.#connection.close();
    }
  }

  async #readResult(): Promise<SessionResult<Code>> {
    const { detach, filter, readExitCode } = this.#facts;
    if (detach !== undefined && this.#isDetached) {
      return { exitCode: detach.exitCode, isDetached: true };
    }
    const code = await this.#exitCode();
    if (filter !== undefined) {
      const rest = filter.end(code);
      void this.stdout.deliver(rest.stdout);
      void this.stderr.deliver(rest.stderr);
    }
    endStreams(this, undefined);
    return { exitCode: readExitCode === undefined ? (code as Code) : await readExitCode(code) };
  }

  async #readMessages(): Promise<void> {
    const { joinLog } = this.#facts;
    const joined = joinLog && (await this.#join(joinLog));
    for (const message of joined?.messages ?? []) {
      await this.#readMessage(message);
    }
    let next = joined?.pending ?? this.#connection.next();
    for (let message = await next; message !== undefined; message = await next) {
      await this.#readMessage(message);
      next = this.#connection.next();
    }
  }

  async #join(joinLog: JoinLog): Promise<JoinedMessages | undefined> {
    this.#joining = new AbortController();
    try {
      const deliver = (bytes: Buffer) => this.#deliver("stdout", bytes);
      return await joinLog(this.#connection, deliver, this.#joining.signal);
    } catch (error) {
      if (this.#isDetached) {
        return undefined;
      }
      throw this.#failure ?? error;
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
        this.#events.ignore(channel);
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
    this.#events.bytes[name] += bytes.byteLength;
    const room = stream.deliver(this.#facts.filter?.pass(name, bytes) ?? bytes);
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
    const end = await this.#connection.ended;
    throw isMalformed && !(end.error instanceof KubeError)
      ? malformed("it is not JSON")
      : endedWithoutStatus(end);
  }
}
