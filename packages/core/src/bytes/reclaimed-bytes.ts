/** A byte stream that can reuse the memory of its chunks if its reader permits it. */
export interface ReclaimedBytes extends AsyncIterable<Uint8Array> {
  /** Permits reuse: from now on a chunk is valid only until the next one is requested. */
  reclaimChunks(): void;
  /** Returns the next chunk if it has arrived and may be read in this turn of the event loop. */
  takeArrived?(): Uint8Array | undefined;
}

/**
 * Permits a stream to reuse a chunk's memory once its reader requests the next chunk. Streams that cannot reuse memory
 * ignore it. A reader that calls this must not keep chunks; a reader that does not call it may.
 */
export function reclaimChunks(source: AsyncIterable<Uint8Array>): void {
  (source as Partial<ReclaimedBytes>).reclaimChunks?.();
}

/**
 * Returns the next chunk of a stream if it has arrived, between two steps of its iteration. A reader that decodes all
 * arrived chunks in one step passes through its callers' generators once instead of once per chunk.
 */
export function takeArrived(source: AsyncIterable<Uint8Array>): Uint8Array | undefined {
  return (source as Partial<ReclaimedBytes>).takeArrived?.();
}
