/** How a gzip member begins: the two bytes of gzip, then the only method there is (RFC 1952, 2.3.1). */
const beginning = Buffer.of(0x1f, 0x8b, 0x08);

/**
 * Counts the beginnings of gzip members in a body that arrives in chunks. The count is an upper bound: in compressed bytes
 * the same three bytes occur by chance once in 16 MiB.
 */
export class GzipMembers {
  /** Members that began so far. */
  count = 0;
  /** The last bytes of the chunks before, where a beginning may be cut. */
  #tail: Uint8Array = new Uint8Array(0);

  /** Counts the members that begin in the next chunk. */
  add(chunk: Uint8Array): void {
    const kept = beginning.length - 1;
    const seam = Buffer.concat([this.#tail, chunk.subarray(0, kept)]);
    this.#countIn(seam);
    this.#countIn(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    const end = chunk.byteLength >= kept ? chunk : seam;
    // A copy: the chunk's memory is reused.
    this.#tail = Uint8Array.prototype.slice.call(end, -kept);
  }

  #countIn(bytes: Buffer): void {
    for (let at = bytes.indexOf(beginning); at >= 0; at = bytes.indexOf(beginning, at + 1)) {
      this.count++;
    }
  }
}
