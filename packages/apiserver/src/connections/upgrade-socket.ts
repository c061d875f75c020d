import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { HttpMethod, HttpResponse } from "@typekube/core";
import type { Caller } from "../access/authenticate.js";
import type { Handler } from "../handler.js";
import { headersOf } from "./exchange.js";
import { createConnection } from "./websocket/connection.js";
import { acceptHead, readHandshake } from "./websocket/handshake.js";

/**
 * Answers a request that asks for another protocol on its connection. Only WebSockets are spoken, and only where the
 * handler accepts one; everything else gets a plain answer and the connection ends.
 */
export async function upgradeSocket(
  handler: Handler,
  caller: Caller,
  incoming: IncomingMessage,
  { socket, head, maxMessageBytes }: { socket: Duplex; head: Buffer; maxMessageBytes: number },
): Promise<void> {
  const gone = new AbortController();
  socket.on("error", () => socket.destroy());
  socket.on("close", () => gone.abort(new Error("the client closed the connection")));
  const headers = headersOf(incoming);
  const handshake = readHandshake(incoming.method ?? "", headers);
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
        upgrade: handshake && {
          protocols: handshake.protocols,
          accept(protocol) {
            socket.write(acceptHead(handshake, protocol));
            return createConnection(socket, { protocol, head, maxMessageBytes });
          },
        },
      },
    );
    if (response.status === 101) {
      for await (const _ of response.body) {
        // It has none; it ends when the connection does.
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
  const head = [`HTTP/1.1 ${status} Refused`, ...lines, "connection: close"].join("\r\n");
  socket.end(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, "latin1"), ...chunks]));
}
