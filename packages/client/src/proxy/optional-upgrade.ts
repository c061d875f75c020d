import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** Protocols that a server may ignore: the request is complete without them. (RFC 9110 §7.8) */
const optional = /^(?:h2c|tls\/.*)$/i;

/**
 * Returns `true` for a request that is served without its upgrade: it offers other forms of HTTP only, as curl and Java do
 * with h2c, or it has a body, which comes before any other protocol.
 */
export function isOptionalUpgrade({ headers }: IncomingMessage): boolean {
  const { upgrade = "", "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return (
    encoding !== undefined ||
    Number(length) > 0 ||
    upgrade.split(",").every((protocol) => optional.test(protocol.trim()))
  );
}

/** Lets the server read a request again, without its offer of another protocol, and then its body. */
export function readWithoutUpgrade(
  server: Server,
  { method = "GET", url = "/", httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (!/^(?:http2-settings|upgrade)$/i.test(name)) {
      lines.push(`${name}: ${value}`);
    }
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}
