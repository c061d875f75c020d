/** `ArrayBuffer.prototype.transfer` of Node 22 and later. Other runtimes manage socket memory in their own way. */
const transfer: ((this: ArrayBuffer, newLength: number) => ArrayBuffer) | undefined =
  process.versions["bun"] === undefined && process.versions["deno"] === undefined
    ? (ArrayBuffer.prototype as { transfer?: typeof transfer }).transfer
    : undefined;

/**
 * Frees the memory of a chunk that was read from a socket or came out of zlib and is no longer used. Left to the
 * garbage collector, all memory of a large body stays until objects made from it fill V8's young generation: 50 MB for
 * a list of 50,000 pods. Does nothing where the runtime lacks support.
 */
export function freeChunk(chunk: Uint8Array): void {
  const { buffer } = chunk;
  if (transfer !== undefined && buffer instanceof ArrayBuffer && isLastPart(chunk)) {
    try {
      transfer.call(buffer, 0);
    } catch {
      // Node does not release the memory of its pools; the garbage collector frees it later.
    }
  }
}

/**
 * Returns true when no other unread bytes share a chunk's memory: the chunk ends where its memory ends and takes at
 * least half of it. Bytes after a body in the same read belong to the next response, and Node's pool serves only sizes
 * below half of the pool. An empty chunk frees nothing, and its memory may be a constant of the library that sent it.
 */
export function isLastPart({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  return (
    byteLength > 0 &&
    byteOffset + byteLength === buffer.byteLength &&
    2 * byteLength >= buffer.byteLength
  );
}
