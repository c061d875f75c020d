/** Reads pieces of a chosen size from a stream of bytes. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns the bytes, fewer only at the end of the stream. */
  async exactly(bytes: number): Promise<Buffer> {
    if (bytes === 0) {
      return Buffer.alloc(0);
    }
    const first = await this.upTo(bytes);
    if (first.byteLength === bytes) {
      return bufferOf(first);
    }
    const pieces = [first];
    let left = bytes - first.byteLength;
    for (let piece = first; left > 0 && piece.byteLength > 0; left -= piece.byteLength) {
      piece = await this.upTo(left);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  /** Returns the next bytes that are there, at least one; none at the end of the stream. */
  async upTo(bytes: number): Promise<Uint8Array> {
    while (this.#chunk.byteLength === 0) {
      const { value, done } = await this.#source.next();
      if (done === true) {
        return this.#chunk;
      }
      this.#chunk = value;
    }
    const piece = this.#chunk.subarray(0, bytes);
    this.#chunk = this.#chunk.subarray(bytes);
    return piece;
  }

  /** Ends the stream. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
