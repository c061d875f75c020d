import { createServer, type Server } from "node:http";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from "node:http2";
import type { Authority } from "../tls/authority.js";
import type { ListenLimits } from "./listen-options.js";

/** A server for HTTP/1.1 or, with TLS, for HTTP/1.1 and HTTP/2. */
export type ListeningServer = Http2SecureServer | Server;

/** Creates an HTTP/1.1 server or, with an authority for its certificate, a TLS server for HTTP/1.1 and HTTP/2. */
export function makeServer(
  limits: ListenLimits,
  host: string,
  authority: Authority | undefined,
): ListeningServer {
  const {
    maxHeaderBytes: maxHeaderSize,
    headersTimeoutMs,
    requestTimeoutMs,
    idleTimeoutMs,
  } = limits;
  // These apply to requests that don't arrive; watches have timeouts of their own.
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
          // A client without a certificate may still send a token.
          requestCert: true,
          rejectUnauthorized: false,
          allowHTTP1: true,
          // Node's plain servers enable it by default; with Nagle's algorithm a response waits 40 ms for the client's
          // delayed ACK.
          noDelay: true,
          handshakeTimeout: headersTimeoutMs,
          // For HTTP/1.1 over TLS; Node's types declare these options for plain servers only.
          ...({ maxHeaderSize, ...timeouts } as object),
          settings: { maxHeaderListSize: maxHeaderSize, maxConcurrentStreams: 250 },
        });
  server.maxConnections = limits.maxConnections;
  server.on("session", (session: ServerHttp2Session) => endWhenIdle(session, idleTimeoutMs));
  return Object.assign(server, timeouts);
}

/** Closes idle HTTP/2 sessions; Node does so itself for HTTP/1.1. A session with a quiet watch is not idle. */
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

/** Returns the names and addresses in a listener's certificate. */
export function namesOf(host: string): string[] {
  return [...new Set([host, "localhost", "127.0.0.1", "::1"])];
}
