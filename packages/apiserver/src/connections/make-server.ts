import { createServer, type Server } from "node:http";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from "node:http2";
import type { Authority } from "./authority.js";
import type { ListenLimits } from "./listen-options.js";

/** Makes a server for HTTP/1.1 or, with an authority that vouches for it, for TLS with HTTP/1.1 and HTTP/2. */
export function makeServer(
  limits: ListenLimits,
  host: string,
  authority: Authority | undefined,
): Http2SecureServer | Server {
  const {
    maxHeaderBytes: maxHeaderSize,
    headersTimeoutMs,
    requestTimeoutMs,
    idleTimeoutMs,
  } = limits;
  // Their own timeouts end watches; these are about requests that do not arrive.
  const timeouts = {
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(headersTimeoutMs / 4)),
  };
  const server =
    authority === undefined
      ? createServer({ maxHeaderSize, ...timeouts })
      : createSecureServer({
          ...authority.server(namesOf(host)),
          ca: authority.cert,
          // Who has none may still show a token.
          requestCert: true,
          rejectUnauthorized: false,
          allowHTTP1: true,
          // Plain servers of Node have it on; with Nagle's algorithm a response waits 40 ms for the client's delayed ACK.
          noDelay: true,
          handshakeTimeout: headersTimeoutMs,
          // For those who speak HTTP/1.1 over TLS; the types of Node know of these for plain servers only.
          ...({ maxHeaderSize, ...timeouts } as object),
          settings: { maxHeaderListSize: maxHeaderSize, maxConcurrentStreams: 250 },
        });
  server.maxConnections = limits.maxConnections;
  server.on("session", (session: ServerHttp2Session) => endWhenIdle(session, idleTimeoutMs));
  return Object.assign(server, timeouts);
}

/** HTTP/1.1 ends such connections by itself; a quiet watch is a request. */
function endWhenIdle(session: ServerHttp2Session, idleMs: number): void {
  let open = 0;
  session.on("stream", (stream) => {
    open += 1;
    stream.once("close", () => {
      open -= 1;
    });
  });
  session.setTimeout(idleMs);
  session.on("timeout", () => {
    if (open === 0) {
      session.destroy();
    }
  });
}

/** What the certificate of a listener is for. */
export function namesOf(host: string): string[] {
  return [...new Set([host, "localhost", "127.0.0.1", "::1"])];
}
