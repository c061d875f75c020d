import { Readable } from "node:stream";
import { KubeError } from "@typekube/core";
import { chunksUntil } from "./readable-input.js";
import type { StdinSource } from "./session-options.js";

/** Returns `true` for a value that {@link chunksOf} can read. */
export function isStdinSource(value: unknown): value is StdinSource {
  return (
    typeof value === "string" ||
    value instanceof Uint8Array ||
    (typeof value === "object" && value !== null && Symbol.asyncIterator in value)
  );
}

/**
 * Yields the bytes of an input.
 *
 * @param over - ends a stream of Node that waits for more. Default: it is read to its end.
 * @throws {KubeError} `InvalidArgument` for a chunk that is neither text nor bytes.
 */
export async function* chunksOf(
  source: StdinSource,
  over?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (typeof source === "string" || source instanceof Uint8Array) {
    yield bytesOf(source);
    return;
  }
  const chunks = over && source instanceof Readable ? chunksUntil(source, over) : source;
  for await (const chunk of chunks as AsyncIterable<unknown>) {
    yield bytesOf(chunk);
  }
}

function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) {
    return chunk;
  }
  if (typeof chunk !== "string") {
    throw new KubeError("InvalidArgument", "stdin: its chunks must be texts or bytes");
  }
  return Buffer.from(chunk);
}
