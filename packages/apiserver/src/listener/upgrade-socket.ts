import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { HttpMethod, HttpResponse } from "@typekube/core/internal";
import type { Caller } from "../access/authenticate.js";
import type { Handler } from "../server/handler.js";
import { headersOf } from "./http-message.js";
import { acceptWebSocket } from "./websocket/accept-websocket.js";
import { endSocket } from "./websocket/end-socket.js";
import type { Handshake } from "./websocket/handshake.js";

/** The socket of a WebSocket request and its handshake. */
export interface UpgradedSocket {
  readonly socket: Duplex;
  /** Bytes received after the request's headers. */
  readonly head: Buffer;
  readonly handshake: Handshake;
  readonly maxMessageBytes: number;
}

/**
 * Handles a WebSocket request. If the handler does not accept the upgrade, it sends a plain response and ends the
 * connection.
 */
export async function upgradeSocket(
  handler: Handler,
  caller: Caller,
  incoming: IncomingMessage,
  { socket, head, handshake, maxMessageBytes }: UpgradedSocket,
): Promise<void> {
  const gone = new AbortController();
  socket.on("error", () => socket.destroy());
  socket.on("close", () => gone.abort(new Error("the client closed the connection")));
  const headers = headersOf(incoming);
  try {
    const response = await handler(
      {
        method: (incoming.method ?? "GET") as HttpMethod,
        path: incoming.url ?? "/",
        headers,
        signal: gone.signal,
        mode: "stream",
      },
      {
        caller,
        upgrade: {
          protocols: handshake.protocols,
          refusal: handshake.refusal,
          accept(protocol) {
            return acceptWebSocket(socket, { handshake, protocol, head, maxMessageBytes });
          },
        },
      },
    );
    if (response.status === 101) {
      for await (const _ of response.body) {
        // The body is empty; it ends with the connection.
      }
    } else {
      await refuse(socket, response);
    }
  } catch {
    socket.destroy();
  }
}

async function refuse(socket: Duplex, { status, headers, body }: HttpResponse): Promise<void> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) {
    chunks.push(chunk);
  }
  const reason = STATUS_CODES[status] ?? "Refused";
  const head = [`HTTP/1.1 ${status} ${reason}`, ...lines, "connection: close"].join("\r\n");
  endSocket(socket, Buffer.concat([Buffer.from(`${head}\r\n\r\n`, "latin1"), ...chunks]));
}
