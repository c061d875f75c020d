import type { ReclaimedBytes } from "@typekube/core/internal";

/** A stream of exactly these chunks. */
export function chunksOf(...chunks: readonly (string | Uint8Array)[]): AsyncIterable<Uint8Array> {
  return reclaimed(chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)));
}

/** The bytes in chunks of `size`. */
export function inChunks(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  return reclaimed(pieces(bytes, size));
}

function* pieces(bytes: Uint8Array, size: number): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

/** A reader that promised to be done with a chunk when it asks for the next finds other bytes where it was. */
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

/** One stream per position at which the bytes can be cut in two, and one that brings them singly. */
export function everySplit(bytes: Uint8Array): AsyncIterable<Uint8Array>[] {
  const pairs = Array.from({ length: bytes.byteLength + 1 }, (_, at) =>
    chunksOf(bytes.subarray(0, at), bytes.subarray(at)),
  );
  return [...pairs, inChunks(bytes, 1), inChunks(bytes, 3)];
}

/** Everything that a stream of groups yields. */
export async function flat<T>(groups: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const group of groups) {
    all.push(...group);
  }
  return all;
}
