import type { ReclaimedBytes } from "@typekube/core/internal";

/** Returns a stream of exactly these chunks. */
export function chunksOf(...chunks: readonly (string | Uint8Array)[]): AsyncIterable<Uint8Array> {
  return reclaimed(chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)));
}

/** Returns a stream of the bytes in chunks of `size`. */
export function inChunks(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  return reclaimed(pieces(bytes, size));
}

function* pieces(bytes: Uint8Array, size: number): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

/**
 * Returns a stream that overwrites each chunk before it yields the next, if its reader permitted reuse: a reader that
 * kept the chunk would find other bytes in it.
 */
function reclaimed(chunks: Iterable<Uint8Array>): ReclaimedBytes {
  let spoils = false;
  return {
    reclaimChunks() {
      spoils = true;
    },
    async *[Symbol.asyncIterator]() {
      for (const chunk of chunks) {
        const given = spoils ? Buffer.from(chunk) : chunk;
        yield given;
        if (spoils) {
          given.fill(0xaa);
        }
      }
    },
  };
}

/** Returns one stream per position at which the bytes can be cut in two, one of single bytes and one of chunks of 3. */
export function everySplit(bytes: Uint8Array): AsyncIterable<Uint8Array>[] {
  const pairs = Array.from({ length: bytes.byteLength + 1 }, (_, at) =>
    chunksOf(bytes.subarray(0, at), bytes.subarray(at)),
  );
  return [...pairs, inChunks(bytes, 1), inChunks(bytes, 3)];
}

/** Returns everything that a stream of groups yields. */
export async function flat<T>(groups: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const group of groups) {
    all.push(...group);
  }
  return all;
}
