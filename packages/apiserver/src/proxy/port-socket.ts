import { type Duplex, duplexPair } from "node:stream";

/** A connection as the handler of a port sees it. */
export interface PortConnection {
  readonly data: AsyncIterable<Uint8Array>;
  write(data: Uint8Array | string): Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Returns a connection to a port that a handler serves: what a TCP socket would be in a cluster. It ends when the
 * handler returns, and fails when the handler throws.
 */
export function portSocket(handler: (connection: PortConnection) => Promise<void>): Duplex {
  const [socket, served] = duplexPair();
  const gone = new AbortController();
  served.on("error", () => {});
  socket.once("close", () => {
    gone.abort(new Error("the connection was closed"));
    served.destroy();
  });
  const write = (data: Uint8Array | string): Promise<void> =>
    new Promise((resolve) => {
      if (served.destroyed || served.writableEnded) {
        resolve();
      } else {
        served.write(data, () => resolve());
      }
    });
  Promise.resolve()
    .then(() => handler({ data: chunksOf(served), write, signal: gone.signal }))
    .then(
      () => served.end(),
      (error: unknown) => socket.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  return socket;
}

/** Yields what is received until the connection ends, however it ends: the signal tells a handler that cares. */
async function* chunksOf(stream: Duplex): AsyncGenerator<Uint8Array> {
  try {
    yield* stream.iterator({ destroyOnReturn: false });
  } catch {
    // The connection was closed.
  }
}
