const blockBytes = 512;

/** Counts the files of an archive and their bytes, without keeping them. */
export class ArchiveCounter {
  files = 0;
  bytes = 0;
  readonly #header: Buffer = Buffer.alloc(blockBytes);
  #headerBytes = 0;
  /** Bytes of content and padding before the next header. */
  #toSkip = 0;

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.byteLength; ) {
      if (this.#toSkip > 0) {
        const skipped = Math.min(this.#toSkip, chunk.byteLength - at);
        this.#toSkip -= skipped;
        at += skipped;
        continue;
      }
      const copied = chunk.copy(this.#header, this.#headerBytes, at);
      this.#headerBytes += copied;
      at += copied;
      if (this.#headerBytes === blockBytes) {
        this.#headerBytes = 0;
        this.#onHeader();
      }
    }
  }

  #onHeader(): void {
    const type = String.fromCharCode(this.#header[156] ?? 0);
    const size = Number.parseInt(this.#header.toString("latin1", 124, 136), 8) || 0;
    this.#toSkip = Math.ceil(size / blockBytes) * blockBytes;
    // The last blocks of an archive are empty.
    if (this.#header[0] !== 0 && (type === "0" || type === "\0")) {
      this.files += 1;
      this.bytes += size;
    }
  }
}
