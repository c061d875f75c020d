import { createHash, randomBytes } from "node:crypto";

/** Appended to the key of a handshake. (RFC 6455 §1.3) */
const handshakeId = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Returns a random `Sec-WebSocket-Key`. */
export function newWebSocketKey(): string {
  return randomBytes(16).toString("base64");
}

/** Returns the `Sec-WebSocket-Accept` that proves that a server has read the key. */
export function webSocketAccept(key: string): string {
  return createHash("sha1")
    .update(key + handshakeId)
    .digest("base64");
}
