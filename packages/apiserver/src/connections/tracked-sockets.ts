import type { Server } from "node:http";
import type { Http2SecureServer } from "node:http2";
import type { Socket } from "node:net";

/** The open connections of a server. */
export function trackSockets(server: Http2SecureServer | Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    // One that asked for another protocol in vain comes again.
    if (sockets.has(socket)) {
      return;
    }
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

/** Ends a server together with its connections. */
export function closeServer(
  server: Http2SecureServer | Server,
  sockets: ReadonlySet<Socket>,
): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    cutAll(sockets);
  });
}

/** Ends connections where they are. */
export function cutAll(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) {
    socket.destroy();
  }
}
