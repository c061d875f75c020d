import type { Duplex } from "node:stream";
import { WebSocketConnection } from "@typekube/transport/internal";
import { acceptLines, type Handshake } from "./handshake.js";

/** A WebSocket to accept. */
export interface AcceptedSocket {
  readonly handshake: Pick<Handshake, "key">;
  /** Selected subprotocol. */
  readonly protocol: string | undefined;
  /** Bytes received together with the request. */
  readonly head: Buffer;
  /** Maximum size of a message; a longer one ends the connection with 1009. */
  readonly maxMessageBytes: number;
}

/**
 * Responds with 101 and serves RFC 6455 on a connection.
 *
 * @throws {Error} when the client has closed the connection.
 */
export function acceptWebSocket(
  socket: Duplex,
  { handshake, protocol, head, maxMessageBytes }: AcceptedSocket,
): WebSocketConnection {
  if (socket.destroyed || !socket.writable) {
    throw new Error("the client closed the connection before the server accepted the WebSocket");
  }
  socket.write(`${acceptLines(handshake, protocol).join("\r\n")}\r\n\r\n`);
  return new WebSocketConnection(socket, {
    role: "server",
    protocol: protocol ?? "",
    head,
    maxMessageBytes,
  });
}
