import type { Duplex } from "node:stream";
import {
  closeCodes,
  encodeClose,
  encodeFrame,
  MessageReader,
  opcodes,
  type WebSocketEvent,
  type WebSocketMessage,
  type WebSocketRole,
  WebSocketViolation,
} from "@typekube/core/internal/streams";
import { cutSoon, drained, lingerAfterEnd } from "./end-of-socket.js";
import { readAfterFailedWrites, receivedBefore } from "./failed-writes.js";

/** Default maximum of a received message in bytes. */
export const defaultMaxMessageBytes: number = 16 * 1024 * 1024;
/** Default bytes of unread messages above which the peer has to wait. */
export const defaultMaxUnreadBytes: number = 1024 * 1024;

/** Bytes that a message counts as unread in addition to its own: it costs memory, even if it is empty. */
const messageOverhead = 64;

/** Reason of every closed connection: one for all, since making an error costs more than closing. */
const gone = new Error("the WebSocket is closed");

/** How a {@link WebSocketConnection} is set up. */
export interface WebSocketSettings {
  readonly role: WebSocketRole;
  /** The selected subprotocol; empty when none was selected. */
  readonly protocol: string;
  /** Bytes received together with the handshake. Default: none. */
  readonly head?: Uint8Array | undefined;
  /** Maximum of a message in bytes; a longer one ends the connection with 1009. Default 16 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Bytes of unread messages above which the peer has to wait. Default 1 MiB. */
  readonly maxUnreadBytes?: number | undefined;
}

/** How a connection ended. */
export interface WebSocketEnd {
  /** Code of the close frame that ended it: the peer's, or ours; 1005 without a code, 1006 without a close frame. */
  readonly code: number;
  readonly reason: string;
  /** Error of the socket, violation by the peer, or the reason given to {@link WebSocketConnection.destroy}. */
  readonly error?: unknown;
}

/** One side of an open WebSocket. (RFC 6455) */
export class WebSocketConnection {
  /** The selected subprotocol; empty when none was selected. */
  readonly protocol: string;
  /** Resolves when the peer sends no more: with its close frame, or when the socket is closed. */
  readonly ended: Promise<WebSocketEnd>;
  readonly #socket: Duplex;
  readonly #role: WebSocketRole;
  readonly #reader: MessageReader;
  readonly #maxUnread: number;
  readonly #gone = new AbortController();
  readonly #unread: WebSocketMessage[] = [];
  #unreadBytes = 0;
  #received = 0;
  #end: WebSocketEnd | undefined;
  /** Why the first write failed. */
  #writeError: Error | undefined;
  /** Our close frame, once sent. */
  #closed: { readonly code: number; readonly reason: string } | undefined;
  #resolveEnd: (end: WebSocketEnd) => void = () => {};
  #wakeReader = () => {};
  #pongs: (() => void)[] = [];
  /** The ping to answer once the peer takes more. */
  #lastPing: Buffer | undefined;

  constructor(socket: Duplex, settings: WebSocketSettings) {
    const { role, protocol, head, maxMessageBytes, maxUnreadBytes } = settings;
    this.protocol = protocol;
    this.#socket = socket;
    this.#role = role;
    this.#reader = new MessageReader(role, maxMessageBytes ?? defaultMaxMessageBytes);
    this.#maxUnread = maxUnreadBytes ?? defaultMaxUnreadBytes;
    this.ended = new Promise((resolve) => {
      this.#resolveEnd = resolve;
    });
    lingerAfterEnd(socket);
    if (role === "client") {
      // A server gains nothing from input of a client that is gone: it must see the end at once, also while it does not read.
      readAfterFailedWrites(socket, (error) => {
        this.#writeError = error;
      });
    }
    socket.on("error", (error) => this.#onError(error));
    socket.on("close", () => this.#onGone());
    socket.on("end", () => this.#onSocketEnd());
    socket.on("data", (chunk: Buffer) => this.#onData(chunk));
    if (head !== undefined && head.byteLength > 0) {
      this.#onData(Buffer.from(head));
    }
    // The handshake may have paused it.
    socket.resume();
  }

  /** Aborts when the socket is closed, by either side. */
  get closed(): AbortSignal {
    return this.#gone.signal;
  }

  /** `false` once nothing can be sent any more: after our close frame, the peer's, or a write that failed. */
  get isOpen(): boolean {
    return (
      this.#closed === undefined &&
      this.#writeError === undefined &&
      !this.#socket.destroyed &&
      this.#socket.writable
    );
  }

  /** `true` while the peer has to wait because too many messages are unread. */
  get isPaused(): boolean {
    return this.#socket.isPaused();
  }

  /** Bytes received so far, to see whether the peer is alive. */
  get receivedBytes(): number {
    return this.#received;
  }

  /** Returns the next message; `undefined` once the connection has ended and every message was read. */
  async next(): Promise<WebSocketMessage | undefined> {
    for (;;) {
      const message = this.#unread.shift();
      if (message !== undefined) {
        this.#unreadBytes -= message.bytes.byteLength + messageOverhead;
        if (this.#unreadBytes <= this.#maxUnread / 2 && this.#end === undefined) {
          this.#socket.resume();
        }
        return message;
      }
      if (this.#end !== undefined) {
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  /** Iterates over the peer's messages until the connection ends. Stopping early closes the connection. */
  async *messages(): AsyncGenerator<WebSocketMessage, void, undefined> {
    try {
      for (;;) {
        const message = await this.next();
        if (message === undefined) {
          return;
        }
        yield message;
      }
    } finally {
      this.close();
    }
  }

  /**
   * Sends a message; resolves when the socket can take more. Does nothing once the connection is closed.
   *
   * @param more - `channel` is put in front as one byte; `kind` is binary by default.
   */
  async send(
    payload: Uint8Array,
    more: { readonly channel?: number; readonly kind?: "binary" | "text" } = {},
  ): Promise<void> {
    const opcode = more.kind === "text" ? opcodes.text : opcodes.binary;
    this.#write(encodeFrame(this.#role, { opcode, payload, channel: more.channel }));
    if (this.#socket.writableNeedDrain && !this.#socket.destroyed) {
      await drained(this.#socket);
    }
  }

  /** Sends a ping. Resolves with the next pong, or when the connection is closed. */
  ping(): Promise<void> {
    if (!this.isOpen) {
      return Promise.resolve();
    }
    this.#write(encodeFrame(this.#role, { opcode: opcodes.ping, payload: new Uint8Array(0) }));
    return new Promise((resolve) => this.#pongs.push(resolve));
  }

  /** Sends a close frame and ends our side; what the peer sends after that is dropped. Idempotent. */
  close(code: number = closeCodes.normal, reason = ""): void {
    this.#endSocket(code, reason);
    // The peer's close frame is read only while the socket flows.
    this.#unread.length = 0;
    this.#socket.resume();
  }

  /** Like {@link close}, and does not wait for a peer that takes nothing any more. */
  leave(): void {
    this.close();
    cutSoon(this.#socket);
  }

  /** Cuts the connection without a close frame. */
  destroy(error?: unknown): void {
    this.#finish({ code: closeCodes.abnormal, reason: "", error });
    this.#socket.destroy();
  }

  /** Sends our close frame, the last of our side. */
  #endSocket(code: number, reason = ""): void {
    if (this.#writeError !== undefined) {
      this.#socket.destroy();
    } else if (this.isOpen) {
      this.#closed = { code, reason };
      this.#socket.end(encodeClose(this.#role, code, reason));
    }
  }

  #write(frame: Buffer): void {
    if (this.isOpen) {
      this.#socket.write(frame);
    }
  }

  #onData(chunk: Buffer): void {
    this.#received += chunk.byteLength;
    if (this.#end !== undefined) {
      return;
    }
    try {
      this.#reader.read(chunk, this.#onEvent);
    } catch (error) {
      const code = error instanceof WebSocketViolation ? error.closeCode : closeCodes.internalError;
      this.#finish({ code, reason: "", error });
      this.#endSocket(code);
    }
  }

  readonly #onEvent = (event: WebSocketEvent): void => {
    switch (event.type) {
      case "message":
        this.#onMessage(event.message);
        break;
      case "ping":
        this.#onPing(event.bytes);
        break;
      case "pong":
        this.#releasePings();
        break;
      case "close": {
        const { code, reason } = event;
        this.#finish({ code, reason });
        this.#endSocket(code === closeCodes.noStatus ? closeCodes.normal : code);
      }
    }
  };

  /** Answers a ping; of those that come while the peer takes nothing, the last one. (RFC 6455 §5.5.3) */
  #onPing(payload: Buffer): void {
    const isWaiting = this.#lastPing !== undefined;
    if (!this.#socket.writableNeedDrain) {
      this.#write(encodeFrame(this.#role, { opcode: opcodes.pong, payload }));
      return;
    }
    // A copy: a ping must not keep the chunk that it came with.
    this.#lastPing = Buffer.from(payload);
    if (!isWaiting) {
      this.#socket.once("drain", () => {
        const last = this.#lastPing;
        this.#lastPing = undefined;
        if (last !== undefined) {
          this.#onPing(last);
        }
      });
    }
  }

  #onMessage(message: WebSocketMessage): void {
    if (this.#closed !== undefined) {
      return;
    }
    this.#unread.push(message);
    this.#unreadBytes += message.bytes.byteLength + messageOverhead;
    if (this.#unreadBytes > this.#maxUnread) {
      this.#socket.pause();
    }
    this.#wakeReader();
  }

  /** Reads the rest first: the peer's close frame may have come before the error. */
  #onError(error: Error): void {
    for (const chunk of receivedBefore(this.#socket)) {
      this.#onData(chunk);
    }
    this.#finish({ code: closeCodes.abnormal, reason: "", error });
  }

  #onSocketEnd(): void {
    const error = this.#writeError;
    this.#finish(this.#closed ?? { code: closeCodes.abnormal, reason: "", error });
    this.#endSocket(closeCodes.normal);
  }

  #onGone(): void {
    this.#finish(this.#closed ?? { code: closeCodes.abnormal, reason: "" });
    this.#releasePings();
    this.#gone.abort(gone);
  }

  #finish(end: WebSocketEnd): void {
    if (this.#end === undefined) {
      this.#end = end;
      this.#resolveEnd(end);
      this.#wakeReader();
      // Messages that were read wait in memory; the socket only has the end left.
      this.#socket.resume();
    }
  }

  #releasePings(): void {
    for (const resolve of this.#pongs.splice(0)) {
      resolve();
    }
  }
}
