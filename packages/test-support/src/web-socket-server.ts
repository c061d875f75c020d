import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { onRequest, rawServer, type TestServer } from "./servers.js";

/** Returns the response that accepts the WebSocket of a request. */
export function acceptResponse(head: string, protocol = "v5.channel.k8s.io"): string {
  const key = /sec-websocket-key: (\S+)/i.exec(head)?.[1] ?? "";
  const accept = createHash("sha1")
    .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");
  return [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accept}`,
    `Sec-WebSocket-Protocol: ${protocol}`,
    "\r\n",
  ].join("\r\n");
}

/**
 * Starts a server that accepts every WebSocket and then lets the test write bytes by hand.
 *
 * @param speak - called once per connection after the handshake.
 * @param protocol - the subprotocol that it selects.
 */
export function webSocketServer(
  speak: (socket: Socket, head: string) => void = () => {},
  protocol?: string,
): Promise<TestServer> {
  return rawServer((socket) => {
    onRequest(socket, (head) => {
      socket.removeAllListeners("data");
      socket.write(acceptResponse(head, protocol));
      speak(socket, head);
    });
  });
}

/** Returns a frame of a server, written by hand: one byte of head, the length, the payload. */
export function serverFrame(
  first: number,
  ...parts: readonly (number | string | Uint8Array)[]
): Buffer {
  const payload = Buffer.concat(
    parts.map((part) =>
      typeof part === "number" ? Buffer.of(part) : Buffer.from(part as Uint8Array),
    ),
  );
  const { byteLength } = payload;
  const length =
    byteLength < 126 ? Buffer.of(byteLength) : Buffer.of(126, byteLength >> 8, byteLength & 0xff);
  return Buffer.concat([Buffer.of(first), length, payload]);
}
