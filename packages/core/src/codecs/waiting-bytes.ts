import type { Buffer as NodeBuffer } from "node:buffer";
import { asBuffer } from "../bytes.js";

/** What a reader holds between two chunks at first; one item of most lists fits. */
const initialBytes = 128 * 1024;
/** A buffer that one large item made larger than this is given back when the item is done. */
const keptBytes = 4 * 1024 * 1024;

const nothing = Buffer.allocUnsafeSlow(0);

/**
 * The bytes of a stream that were not used yet, in one buffer that is used again for every chunk: joining each chunk
 * to what is left of the one before would allocate the whole stream once more.
 */
export class WaitingBytes {
  #buffer: NodeBuffer = nothing;
  /** The beginning of the buffer, or a chunk as it came. */
  #waiting: NodeBuffer = nothing;

  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Adds a chunk. The buffer returned holds everything that waits and is good until {@link keepFrom}, which comes before the
   * next chunk is asked for: it is the chunk itself when nothing waited.
   */
  append(chunk: Uint8Array): NodeBuffer {
    const { length } = this.#waiting;
    if (length === 0) {
      this.#waiting = asBuffer(chunk);
    } else {
      const total = length + chunk.byteLength;
      this.#take(this.#waiting, total);
      this.#buffer.set(chunk, length);
      this.#waiting = this.#buffer.subarray(0, total);
    }
    return this.#waiting;
  }

  /** Lets go of the bytes before `at`. */
  keepFrom(at: number): void {
    const left = this.#waiting.length - at;
    if (this.#buffer.length > keptBytes && left <= initialBytes) {
      this.#buffer = nothing;
    }
    if (left === 0) {
      this.#waiting = nothing;
    } else {
      // A chunk is its owner's and may be large: its bytes are kept, not it.
      this.#take(this.#waiting.subarray(at), left);
      this.#waiting = this.#buffer.subarray(0, left);
    }
  }

  /** Puts bytes at the beginning of the buffer, in which there is room for `room` then. */
  #take(bytes: NodeBuffer, room: number): void {
    const into =
      room > this.#buffer.length
        ? // Doubled, so that a large item is copied twice at most, in however small pieces it comes.
          Buffer.allocUnsafeSlow(Math.max(initialBytes, room, 2 * this.#buffer.length))
        : this.#buffer;
    if (into !== bytes && (into.buffer !== bytes.buffer || into.byteOffset !== bytes.byteOffset)) {
      into.set(bytes);
    }
    this.#buffer = into;
  }
}
