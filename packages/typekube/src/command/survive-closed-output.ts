import type { EventEmitter } from "node:events";

/**
 * Lets a program outlive the reader of its output, such as `head`: what it writes from then on is lost, and its exit code stays that of
 * its work.
 *
 * @param streams - standard output and standard error.
 * @param onClosed - called once, when the first stream has lost its reader; ends commands that would run on.
 * @throws all other errors of the streams, from their event.
 */
export function surviveClosedOutput(streams: readonly EventEmitter[], onClosed: () => void): void {
  let isClosed = false;
  for (const stream of streams) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") {
        throw error;
      }
      if (!isClosed) {
        isClosed = true;
        onClosed();
      }
    });
  }
}
