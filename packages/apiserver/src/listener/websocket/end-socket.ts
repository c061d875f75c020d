import type { Duplex } from "node:stream";
import { lingerAfterEnd } from "@typekube/transport/internal";

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
