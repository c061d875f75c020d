import type { IncomingMessage, Server } from "node:http";
import type { Http2SecureServer } from "node:http2";
import type { Duplex } from "node:stream";
import { isOn } from "../request/request-info.js";
import { targetUrl } from "../request/request-target.js";
import { type Handshake, readHandshake, readWatchHandshake } from "./websocket/handshake.js";

const podConnection = /\/pods\/[^/]+\/(?:attach|exec|portforward)$/;

/** The WebSocket handshake of a request whose connection may become another protocol: into a pod, or a watch. */
export function handshakeOf(incoming: IncomingMessage): Handshake | undefined {
  const { pathname } = targetUrl(incoming.url ?? "/");
  if (podConnection.test(pathname)) {
    return readHandshake(incoming);
  }
  return staysOpen(incoming) ? readWatchHandshake(incoming) : undefined;
}

/** True for watches and for logs that are followed. */
export function staysOpen({ url = "/" }: Pick<IncomingMessage, "url">): boolean {
  const { searchParams } = targetUrl(url);
  return isOn(searchParams.get("watch")) || isOn(searchParams.get("follow"));
}

/**
 * Has a request answered as if it had not asked for another protocol, as RFC 9110 §7.8 lets a server do: Java's client asks for
 * `h2c` with whatever it sends first. Node gives such connections away after the headers; here this one comes back, with
 * a body that may follow, to be read from its beginning.
 */
export function withoutUpgrade(
  server: Http2SecureServer | Server,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = incoming;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.toLowerCase() !== "upgrade") {
      lines.push(`${name}: ${rawHeaders[at + 1]}`);
    }
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("setSecureContext" in server ? "secureConnection" : "connection", socket);
}
