import type { Duplex } from "node:stream";

type Done = (error?: Error | null) => void;

/**
 * Lets a connection be read to its end after a write has failed. A peer that closes while bytes for it are on their way
 * resets the connection: the next write fails, and Node would destroy the socket together with what the peer had sent
 * before, such as the status of a session. The end of the connection still comes, by reading. Later writes are dropped.
 *
 * @param onFailure - called once, with the error of the first failed write.
 */
export function readAfterFailedWrites(socket: Duplex, onFailure: (error: Error) => void): void {
  let hasFailed = false;
  const tolerant =
    (done: Done): Done =>
    (error) => {
      if (error && !hasFailed) {
        hasFailed = true;
        onFailure(error);
      }
      done();
    };
  const write = socket._write.bind(socket);
  const writeMany = socket._writev?.bind(socket);
  const final = socket._final.bind(socket);
  socket._write = (chunk, encoding, done) =>
    hasFailed ? done() : write(chunk, encoding, tolerant(done));
  if (writeMany !== undefined) {
    socket._writev = (chunks, done) => (hasFailed ? done() : writeMany(chunks, tolerant(done)));
  }
  socket._final = (done) => (hasFailed ? done() : final(tolerant(done)));
}

/** Yields the bytes that a socket had received before it failed, and that nobody has read. */
export function* receivedBefore(socket: Duplex): Generator<Buffer, void, undefined> {
  for (;;) {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) {
      return;
    }
    yield chunk;
  }
}
