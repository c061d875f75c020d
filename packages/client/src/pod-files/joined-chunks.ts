/** Bytes of a message of stdin. (client-go `remotecommand`: 32 KiB) */
const messageBytes = 32 * 1024;

/** Joins chunks that are smaller than a message: each message costs more than its bytes. */
export async function* joinedChunks(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    if (bytes > 0 && bytes + chunk.byteLength > messageBytes) {
      yield Buffer.concat(waiting);
      waiting = [];
      bytes = 0;
    }
    if (chunk.byteLength >= messageBytes) {
      yield chunk;
    } else {
      waiting.push(chunk);
      bytes += chunk.byteLength;
    }
  }
  if (bytes > 0) {
    yield Buffer.concat(waiting);
  }
}
