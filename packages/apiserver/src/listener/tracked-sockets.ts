import type { Server } from "node:http";
import type { Http2SecureServer } from "node:http2";
import type { Socket } from "node:net";

/** Tracks the open connections of a server. */
export function trackSockets(server: Http2SecureServer | Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    // A connection whose upgrade was declined is emitted again.
    if (sockets.has(socket)) {
      return;
    }
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

/** Closes a server and its connections. */
export function closeServer(
  server: Http2SecureServer | Server,
  sockets: ReadonlySet<Socket>,
): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    cutAll(sockets);
  });
}

/** Destroys connections at once. */
export function cutAll(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) {
    socket.destroy();
  }
}
