import type { IncomingMessage, Server } from "node:http";
import type { Http2SecureServer } from "node:http2";
import type { Duplex } from "node:stream";
import { isOn } from "../request/request-info.js";
import { targetUrl } from "../request/request-target.js";
import { type Handshake, readHandshake, readWatchHandshake } from "./websocket/handshake.js";

const podConnection = /\/pods\/[^/]+\/(?:attach|exec|portforward)$/;

const proxied = /^\/api\/v1\/(?:nodes|namespaces\/[^/]+\/(?:pods|services))\/[^/]+\/proxy(?:\/|$)/;

/** Returns `true` for a request that is passed on to what is behind the server, whatever it sends. */
export function isProxied({ url = "/" }: Pick<IncomingMessage, "url">): boolean {
  return proxied.test(targetUrl(url).pathname);
}

/** Returns the WebSocket handshake of a request that can be upgraded: a pod connection, a proxied one, or a watch. */
export function handshakeOf(incoming: IncomingMessage): Handshake | undefined {
  const { pathname } = targetUrl(incoming.url ?? "/");
  if (podConnection.test(pathname) || proxied.test(pathname)) {
    return readHandshake(incoming);
  }
  return staysOpen(incoming) ? readWatchHandshake(incoming) : undefined;
}

/** Returns true for watches and followed logs. */
export function staysOpen({ url = "/" }: Pick<IncomingMessage, "url">): boolean {
  const { searchParams } = targetUrl(url);
  return isOn(searchParams.get("watch")) || isOn(searchParams.get("follow"));
}

/**
 * Serves a request without the requested upgrade, as RFC 9110 §7.8 permits: Java's client requests `h2c` with its first
 * request. Node detaches such connections after the headers; this emits the connection again with the request, and a
 * body that may follow, to be read from the beginning.
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
