import type { Duplex } from "node:stream";

/** Real milliseconds that the peer has to close the connection after the last bytes were flushed. */
const lingerMs = 1_000;
/** Real milliseconds that a slow peer has to read the last bytes. */
const flushWithinMs = 30_000;

/** Sends the last bytes of a connection and ends it, even if the peer never closes its side. */
export function endSocket(socket: Duplex, bytes: Uint8Array): void {
  let timer = setTimeout(() => socket.destroy(), flushWithinMs);
  socket.once("finish", () => {
    clearTimeout(timer);
    timer = setTimeout(() => socket.destroy(), lingerMs);
  });
  socket.once("close", () => clearTimeout(timer));
  socket.end(bytes);
  // A socket emits "end" only while it is being read.
  socket.resume();
}
