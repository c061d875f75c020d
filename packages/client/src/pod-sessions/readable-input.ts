import type { Readable } from "node:stream";
import { KubeError } from "@typekube/core";

/**
 * Yields the chunks of a stream until its end, or until nobody wants more of it. The stream is destroyed then, as by its
 * own iterator, which cannot be ended while it waits; the input of this process is paused, so that it does not keep the
 * process alive, and can be read on.
 */
export async function* chunksUntil(
  source: Readable,
  over: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  const chunks: unknown[] = [];
  let wake = () => {};
  const onChange = () => wake();
  const onData = (chunk: unknown) => {
    chunks.push(chunk);
    source.pause();
    wake();
  };
  const events = ["close", "end", "error"] as const;
  for (const event of events) {
    source.on(event, onChange);
  }
  source.on("data", onData);
  over.addEventListener("abort", onChange, { once: true });
  try {
    while (!over.aborted) {
      if (chunks.length > 0) {
        yield chunks.shift();
      } else if (source.errored) {
        throw source.errored;
      } else if (source.readableEnded) {
        return;
      } else if (source.destroyed) {
        throw new KubeError("Aborted", "stdin: the stream was destroyed before its end");
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
          source.resume();
        });
      }
    }
  } finally {
    over.removeEventListener("abort", onChange);
    source.off("data", onData);
    for (const event of events) {
      source.off(event, onChange);
    }
    if (source.errored) {
      // Its event may be still to come, and would end the process if nobody listened.
      source.once("error", () => {});
    }
    if ("fd" in source && source.fd === 0) {
      source.pause();
    } else {
      source.destroy();
    }
  }
}
