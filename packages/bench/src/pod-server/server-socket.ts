import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
  encodeClose,
  encodeFrame,
  MessageReader,
  opcodes,
  webSocketAccept,
} from "@typekube/core/internal/streams";

const maxMessageBytes = 16 * 1024 * 1024;
const normalClosure = 1000;

/** The server's side of a WebSocket, which also sends frames that were made in advance. */
export class ServerSocket {
  readonly protocol: string;
  readonly #socket: Duplex;
  readonly #waiting: (() => void)[] = [];

  constructor(socket: Duplex, protocol: string) {
    this.protocol = protocol;
    this.#socket = socket;
    socket.on("error", () => {});
    for (const event of ["drain", "close"]) {
      socket.on(event, () => {
        for (const resolve of this.#waiting.splice(0)) {
          resolve();
        }
      });
    }
  }

  /** Calls back with each message, then once with `undefined`. */
  read(onMessage: (bytes: Buffer | undefined) => void): void {
    const reader = new MessageReader("server", maxMessageBytes);
    this.#socket.on("data", (chunk: Buffer) =>
      reader.read(chunk, (event) => {
        if (event.type === "message") {
          onMessage(event.message.bytes);
        } else if (event.type === "ping") {
          this.#socket.write(encodeFrame("server", { opcode: opcodes.pong, payload: event.bytes }));
        } else if (event.type === "close") {
          this.close();
        }
      }),
    );
    this.#socket.on("end", () => this.#socket.end());
    this.#socket.on("close", () => onMessage(undefined));
  }

  /** Sends a message; resolves when the socket takes more. */
  send(payload: Uint8Array, channel?: number): Promise<void> {
    return this.write(encodeFrame("server", { opcode: opcodes.binary, payload, channel }));
  }

  /** Sends whole frames; resolves when the socket takes more. Does nothing once the socket is closed. */
  async write(frames: Buffer): Promise<void> {
    if (this.#socket.writable && !this.#socket.write(frames) && !this.#socket.destroyed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  close(): void {
    if (this.#socket.writable) {
      this.#socket.end(encodeClose("server", normalClosure));
    }
  }
}

/** Accepts a WebSocket with the first known subprotocol that the client offers; `undefined` without one. */
export function acceptSocket(
  { headers }: IncomingMessage,
  socket: Duplex,
  known: readonly string[],
): ServerSocket | undefined {
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((one) => one.trim());
  const protocol = known.find((one) => offered.includes(one));
  if (protocol === undefined) {
    socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    return undefined;
  }
  socket.write(
    [
      "HTTP/1.1 101 Switching Protocols",
      "upgrade: websocket",
      "connection: Upgrade",
      `sec-websocket-accept: ${webSocketAccept(headers["sec-websocket-key"] ?? "")}`,
      `sec-websocket-protocol: ${protocol}`,
      "\r\n",
    ].join("\r\n"),
  );
  return new ServerSocket(socket, protocol);
}
