import type { Duplex } from "node:stream";

/** Real milliseconds that the peer has to close the connection after the last bytes were flushed. */
const lingerMs = 1_000;

/** Cuts a connection soon after its last bytes were flushed, even if the peer never closes its side. */
export function lingerAfterEnd(socket: Duplex): void {
  socket.once("finish", () => cutSoon(socket));
}

/** Cuts a connection that is not closed soon. */
export function cutSoon(socket: Duplex): void {
  if (!socket.destroyed) {
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once("close", () => clearTimeout(timer));
  }
}

/** Resolves when a connection takes more bytes or is closed. */
export function drained(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done);
      socket.off("close", done);
      resolve();
    };
    socket.on("drain", done);
    socket.on("close", done);
  });
}
