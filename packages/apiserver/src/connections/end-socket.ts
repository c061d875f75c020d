import type { Duplex } from "node:stream";

/** Real milliseconds that the other side has to close a connection that this side has said its last word on. */
const lingerMs = 1_000;

/** Sends the last bytes of a connection and ends it, also where the other side does not. */
export function endSocket(socket: Duplex, bytes: Uint8Array): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
  socket.end(bytes);
  // Its end is seen by who reads only.
  socket.resume();
}
