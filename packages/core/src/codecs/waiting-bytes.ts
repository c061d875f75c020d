import type { Buffer as NodeBuffer } from "node:buffer";

/** What a reader holds between two chunks at first; one item of most lists fits. */
const initialBytes = 128 * 1024;
/** A buffer that one large item made this large is given back when the item is done. */
const keptBytes = 4 * 1024 * 1024;

/**
 * The bytes of a stream that were not used yet, in one buffer that is used again for every chunk: joining each chunk
 * to what is left of the one before would allocate the whole stream once more.
 */
export class WaitingBytes {
  #buffer: NodeBuffer = Buffer.allocUnsafeSlow(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds a chunk. The buffer returned holds everything that waits and is good until {@link keepFrom}. */
  append(chunk: Uint8Array): NodeBuffer {
    const length = this.#length + chunk.byteLength;
    if (length > this.#buffer.length) {
      // Doubled, so that a large item is copied twice at most, in however small pieces it comes.
      const grown = Buffer.allocUnsafeSlow(Math.max(initialBytes, length, 2 * this.#buffer.length));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
    return this.#buffer.subarray(0, length);
  }

  /** Lets go of the bytes before `at`. */
  keepFrom(at: number): void {
    const left = this.#length - at;
    if (this.#buffer.length > keptBytes && left <= initialBytes) {
      const smaller = Buffer.allocUnsafeSlow(initialBytes);
      smaller.set(this.#buffer.subarray(at, this.#length));
      this.#buffer = smaller;
    } else if (at > 0) {
      this.#buffer.copyWithin(0, at, this.#length);
    }
    this.#length = left;
  }
}
