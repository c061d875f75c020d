import { type ReclaimedBytes, reclaimChunks } from "@typekube/core/internal";

/** The same body; each chunk's bytes are told as it is handed over. Without a listener it is the body itself. */
export function countedBody(
  body: AsyncIterable<Uint8Array>,
  onBytes: ((count: number) => void) | undefined,
): AsyncIterable<Uint8Array> {
  if (onBytes === undefined) {
    return body;
  }
  const counted: ReclaimedBytes = {
    reclaimChunks: () => reclaimChunks(body),
    async *[Symbol.asyncIterator]() {
      for await (const chunk of body) {
        onBytes(chunk.byteLength);
        yield chunk;
      }
    },
  };
  return counted;
}
