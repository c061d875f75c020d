/** A stream of bytes that can use the memory of its chunks again, if its reader has no need of them. */
export interface ReclaimedBytes extends AsyncIterable<Uint8Array> {
  /** From now on a chunk is good only until the next one is asked for. */
  reclaimChunks(): void;
}

/**
 * Promises a stream that whoever reads it is done with a chunk when it asks for the next one. A stream that has no use for
 * that goes on as it did: a reader that makes the promise must keep it, one that does not may keep its chunks.
 */
export function reclaimChunks(source: AsyncIterable<Uint8Array>): void {
  (source as Partial<ReclaimedBytes>).reclaimChunks?.();
}
