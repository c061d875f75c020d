import http2 from "node:http2";
import net from "node:net";
import { ClosedCount } from "@typekube/test-support/closed-count";
import { fixture } from "@typekube/test-support/servers";

/** A server that offers HTTP/2 and HTTP/1.1. */
export interface Http2TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Negotiated protocol of each connection so far. */
  readonly protocols: readonly string[];
  /** Open HTTP/2 sessions. */
  readonly sessions: ReadonlySet<http2.ServerHttp2Session>;
  /** Resolves when this many connections have been closed. */
  closed(count: number): Promise<void>;
}

type Listener = (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => unknown;

export async function http2Server(
  listener: Listener,
  options: http2.SecureServerOptions = {},
): Promise<Http2TestServer> {
  const server = http2.createSecureServer(
    {
      cert: fixture("server.pem"),
      key: fixture("server.key.pem"),
      allowHTTP1: true,
      ...options,
    },
    (request, response) => void listener(request, response),
  );
  const protocols: string[] = [];
  const sessions = new Set<http2.ServerHttp2Session>();
  const sockets = new Set<net.Socket>();
  const closed = new ClosedCount();
  server.on("secureConnection", (socket) => {
    protocols.push(String(socket.alpnProtocol));
    socket.on("error", () => {});
  });
  server.on("connection", (socket: net.Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      closed.add();
    });
  });
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => {});
    session.on("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    protocols,
    sessions,
    closed: (count) => closed.reached(count),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A relay in front of a server. It can go dead: both ends stay open, but no bytes pass. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** Connections accepted so far. */
  readonly connections: number;
  /** Makes the current connections dead; later ones work. Resolves when bytes were sent on one of them. */
  freeze(): Promise<void>;
  /** Resolves when this many client connections have been closed. */
  closed(count: number): Promise<void>;
  /** Sends clients bytes that are not TLS, in between the server's bytes. */
  spoil(): void;
}

export async function relay(target: number): Promise<Relay> {
  const pairs = new Set<readonly [net.Socket, net.Socket]>();
  let connections = 0;
  const closed = new ClosedCount();
  const server = net.createServer((client) => {
    connections += 1;
    client.on("close", () => closed.add());
    const upstream = net.connect(target, "127.0.0.1");
    pairs.add([client, upstream]);
    client.on("error", () => {});
    upstream.on("error", () => {});
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    get connections() {
      return connections;
    },
    freeze: () =>
      new Promise((resolve) => {
        for (const pair of pairs) {
          for (const socket of pair) {
            socket.unpipe();
            // Reads and drops bytes, like a network without the other side.
            socket.removeAllListeners("end");
            socket.on("data", () => resolve()).resume();
          }
        }
      }),
    closed: (count) => closed.reached(count),
    spoil() {
      for (const [client] of pairs) {
        client.write("neither a record nor an alert");
      }
    },
    async [Symbol.asyncDispose]() {
      for (const pair of pairs) {
        for (const socket of pair) {
          socket.destroy();
        }
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
