/** First bytes of a gzip member: the two magic bytes, then the only compression method (RFC 1952, 2.3.1). */
const beginning = Buffer.of(0x1f, 0x8b, 0x08);

/**
 * Counts the starts of gzip members in a body that arrives in chunks. The count is an upper bound: compressed data
 * contains the same three bytes by chance once in 16 MiB.
 */
export class GzipMembers {
  /** Members that have started so far. */
  count = 0;
  /** Last bytes of the previous chunks, where the start of a member may be split. */
  #tail: Uint8Array = new Uint8Array(0);

  /** Counts the members that start in the next chunk. */
  add(chunk: Uint8Array): void {
    const kept = beginning.length - 1;
    const seam = Buffer.concat([this.#tail, chunk.subarray(0, kept)]);
    this.#countIn(seam);
    this.#countIn(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    const end = chunk.byteLength >= kept ? chunk : seam;
    // Copied, because the chunk's memory is reused.
    this.#tail = Uint8Array.prototype.slice.call(end, -kept);
  }

  #countIn(bytes: Buffer): void {
    for (let at = bytes.indexOf(beginning); at >= 0; at = bytes.indexOf(beginning, at + 1)) {
      this.count++;
    }
  }
}
