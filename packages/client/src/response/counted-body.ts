import { type ReclaimedBytes, reclaimChunks, takeArrived } from "@typekube/core/internal";

/**
 * Wraps a body so that `onBytes` is called with the length of each chunk as the chunk is passed on. Without `onBytes`,
 * returns the body unchanged.
 */
export function countedBody(
  body: AsyncIterable<Uint8Array>,
  onBytes: ((count: number) => void) | undefined,
): AsyncIterable<Uint8Array> {
  if (onBytes === undefined) {
    return body;
  }
  const counted: ReclaimedBytes = {
    reclaimChunks: () => reclaimChunks(body),
    takeArrived: () => {
      const chunk = takeArrived(body);
      if (chunk !== undefined) {
        onBytes(chunk.byteLength);
      }
      return chunk;
    },
    [Symbol.asyncIterator]: () => countedChunks(body, onBytes),
  };
  return counted;
}

async function* countedChunks(
  body: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of body) {
    onBytes(chunk.byteLength);
    yield chunk;
  }
}
