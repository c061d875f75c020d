const endOfChunks = "\r\n0\r\n\r\n";

/** Follows the bytes of an HTTP/1.1 response to the end of its body. */
export class ResponseLength {
  #left: number | undefined;
  #tail = "";

  /** @param head - the status line and the headers. */
  constructor(head: string) {
    const length = /^content-length: *(\d+)/im.exec(head)?.[1];
    this.#left = length === undefined ? undefined : Number(length);
  }

  /** `true` once the body is complete. */
  get isOver(): boolean {
    return this.#left === undefined ? this.#tail === endOfChunks : this.#left <= 0;
  }

  /** Counts bytes of the body. */
  take(bytes: Buffer): void {
    if (this.#left !== undefined) {
      this.#left -= bytes.length;
      return;
    }
    const end = bytes.subarray(-endOfChunks.length).toString("latin1");
    this.#tail = (this.#tail + end).slice(-endOfChunks.length);
  }
}
