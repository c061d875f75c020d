import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";

const magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** What a client that wants a WebSocket says of it. */
export interface Handshake {
  readonly key: string;
  /** The subprotocols that it speaks, preferred first. */
  readonly protocols: readonly string[];
}

/** Reads the wish for a WebSocket; `undefined` where a request has none, or one that cannot be met. */
export function readHandshake({
  method,
  headers,
}: Pick<IncomingMessage, "headers" | "method">): Handshake | undefined {
  const key = headers["sec-websocket-key"] ?? "";
  const isWish =
    method === "GET" &&
    headers["upgrade"]?.toLowerCase() === "websocket" &&
    words(headers["connection"]).some((word) => word.toLowerCase() === "upgrade") &&
    headers["sec-websocket-version"] === "13" &&
    /^[A-Za-z0-9+/]{22}==$/.test(key);
  return isWish ? { key, protocols: words(headers["sec-websocket-protocol"]) } : undefined;
}

/** The head of the answer that makes a connection a WebSocket. */
export function acceptHead({ key }: Handshake, protocol: string): string {
  const accept = createHash("sha1")
    .update(key + magic)
    .digest("base64");
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accept}`,
    `Sec-WebSocket-Protocol: ${protocol}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function words(header: string | undefined): string[] {
  return (header ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
