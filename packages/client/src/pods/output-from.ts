import { KubeError } from "@typekube/core";
import { OutputStream } from "../pod-sessions/output-stream.js";

/** Output that comes from somewhere else than a session. */
export interface OutputFrom {
  readonly stream: OutputStream;
  /** Resolves when all of it was taken from the source; fails with its error. */
  readonly copied: Promise<void>;
  /** Drops what has no reader, from now on. */
  discardUnread(): void;
}

/** Returns chunks as the output of a process. The source waits while a reader is slow. */
export function outputFrom(chunks: AsyncIterable<Buffer>): OutputFrom {
  const stream = new OutputStream();
  let isDropping = false;
  const copy = async () => {
    try {
      for await (const chunk of chunks) {
        const room = stream.deliver(chunk);
        if (isDropping) {
          stream.discardIfUnread();
        }
        await room;
      }
      stream.push(null);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : KubeError.from(error, "Aborted"));
      throw error;
    }
  };
  const copied = copy();
  // It need not be awaited.
  copied.catch(() => {});
  return {
    stream,
    copied,
    discardUnread() {
      isDropping = true;
      stream.discardIfUnread();
    },
  };
}
