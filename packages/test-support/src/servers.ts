import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { ClosedCount } from "./closed-count.js";

/** A server on a free port of 127.0.0.1. */
export interface TestServer extends AsyncDisposable {
  readonly port: number;
  /** `http://` or `https://`, address and port. */
  readonly url: string;
  /** Connections accepted so far. */
  readonly connections: number;
  /** Resolves when this many connections have been closed. */
  closed(count: number): Promise<void>;
}

async function serve(server: net.Server, scheme: string): Promise<TestServer> {
  const sockets = new Set<net.Socket>();
  let connections = 0;
  const closed = new ClosedCount();
  server.on("connection", (socket: net.Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      closed.add();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    get connections() {
      return connections;
    },
    closed: (count) => closed.reached(count),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts a server whose bytes the test writes by hand. The callback runs once per connection. */
export function rawServer(onConnection: (socket: net.Socket) => void): Promise<TestServer> {
  return serve(net.createServer(onConnection), "http");
}

/** Calls back with each request head on a socket, however it is split into chunks. Bodies are ignored. */
export function onRequest(socket: net.Socket, callback: (head: string) => void): void {
  let seen = "";
  socket.on("data", (chunk: Buffer) => {
    seen += chunk.toString("latin1");
    for (let end = seen.indexOf("\r\n\r\n"); end >= 0; end = seen.indexOf("\r\n\r\n")) {
      const head = seen.slice(0, end);
      seen = seen.slice(end + 4);
      callback(head);
    }
  });
}

export function httpServer(listener: http.RequestListener): Promise<TestServer> {
  return serve(http.createServer(listener), "http");
}

export function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8");
}

export function httpsServer(
  certificate: "expired" | "other-name" | "server",
  listener: http.RequestListener,
  options: https.ServerOptions = {},
): Promise<TestServer> {
  const cert = fixture(`${certificate}.pem`);
  const key = fixture(`${certificate}.key.pem`);
  return serve(https.createServer({ cert, key, ...options }, listener), "https");
}
