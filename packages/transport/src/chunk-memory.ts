/** `ArrayBuffer.prototype.transfer` of Node 22 and later; what other runtimes do with the memory of a socket is their own. */
const transfer: ((this: ArrayBuffer, newLength: number) => ArrayBuffer) | undefined =
  process.versions["bun"] === undefined && process.versions["deno"] === undefined
    ? (ArrayBuffer.prototype as { transfer?: typeof transfer }).transfer
    : undefined;

/**
 * Frees the memory of a chunk that was read from a socket or came out of zlib, and that nobody looks at any more. Left to the
 * collector, all that a large body was read into stays until objects made of it fill V8's young generation: 50 MB of a
 * list of 50,000 pods. Where the runtime cannot do it, nothing happens.
 */
export function freeChunk(chunk: Uint8Array): void {
  const { buffer } = chunk;
  if (transfer !== undefined && buffer instanceof ArrayBuffer && isLastPart(chunk)) {
    try {
      transfer.call(buffer, 0);
    } catch {
      // Node does not let go of the memory of its pools: the collector has it later.
    }
  }
}

/**
 * Whether nobody else has a part of a chunk's memory that is still to be read: the chunk ends where its memory ends, and is at
 * least half of it. What stands behind a body in one read is the next answer's, and a pool of Node holds only what is less
 * than half of it.
 */
export function isLastPart({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  return byteOffset + byteLength === buffer.byteLength && 2 * byteLength >= buffer.byteLength;
}
