import type { Duplex } from "node:stream";

/** Real milliseconds that the peer has to close the connection after the last bytes were flushed. */
const lingerMs = 1_000;
/** Real milliseconds that a slow peer has to read the last bytes. */
const flushWithinMs = 30_000;

/** Sends the last bytes of a connection and ends it, even if the peer never closes its side. */
export function endSocket(socket: Duplex, bytes: Uint8Array): void {
  if (socket.destroyed) {
    return;
  }
  const timer = setTimeout(() => socket.destroy(), flushWithinMs);
  socket.once("finish", () => clearTimeout(timer));
  socket.once("close", () => clearTimeout(timer));
  lingerAfterEnd(socket);
  socket.end(bytes);
  // A socket emits "end" only while it is being read.
  socket.resume();
}

/** Cuts a connection soon after its last bytes were flushed, even if the peer never closes its side. */
export function lingerAfterEnd(socket: Duplex): void {
  socket.once("finish", () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once("close", () => clearTimeout(timer));
  });
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
