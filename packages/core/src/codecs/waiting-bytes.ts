import type { Buffer as NodeBuffer } from "node:buffer";
import { asBuffer } from "../bytes/bytes.js";

/** Initial size of the buffer in bytes; one item of most lists fits. */
const initialBytes = 128 * 1024;
/** Size in bytes above which the buffer of a large item is released once the item is complete. */
const keptBytes = 4 * 1024 * 1024;

const nothing = Buffer.allocUnsafeSlow(0);

/**
 * Holds the unused bytes of a stream in one buffer, which is reused for every chunk: joining each chunk to the rest of
 * the previous one would allocate the whole stream a second time.
 */
export class WaitingBytes {
  #buffer: NodeBuffer = nothing;
  /** Beginning of the buffer, or a chunk as it arrived. */
  #waiting: NodeBuffer = nothing;

  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Adds a chunk. The returned buffer holds all unused bytes and is valid until {@link keepFrom}, which the caller must
   * call before it requests the next chunk. It is the chunk itself when no bytes were waiting.
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

  /**
   * Adds the beginning of a chunk, as much of it as makes `wanted` bytes: copying all of each chunk to the rest of the
   * one before would copy the whole stream. The returned buffer is valid like that of {@link append}.
   *
   * @returns all unused bytes, and the rest of the chunk.
   */
  appendUpTo(wanted: number, chunk: Uint8Array): { bytes: NodeBuffer; rest: NodeBuffer } {
    const all = asBuffer(chunk);
    const { length } = this.#waiting;
    const missing = Math.max(0, wanted - length);
    // Each view is an object of a hundred bytes, so none is made of all bytes.
    return length === 0 || missing >= all.length
      ? { bytes: this.append(all), rest: nothing }
      : { bytes: this.append(all.subarray(0, missing)), rest: all.subarray(missing) };
  }

  /** Drops the bytes before `at`. */
  keepFrom(at: number): void {
    const left = this.#waiting.length - at;
    if (this.#buffer.length > keptBytes && left <= initialBytes) {
      this.#buffer = nothing;
    }
    if (left === 0) {
      this.#waiting = nothing;
    } else {
      // The chunk belongs to its source and may be large, so the bytes are copied.
      this.#take(this.#waiting.subarray(at), left);
      this.#waiting = this.#buffer.subarray(0, left);
    }
  }

  /** Copies bytes to the beginning of a buffer that has room for `room` bytes. */
  #take(bytes: NodeBuffer, room: number): void {
    const into =
      room > this.#buffer.length
        ? // Doubled, so that a large item is copied at most twice, however small its chunks are.
          Buffer.allocUnsafeSlow(Math.max(initialBytes, room, 2 * this.#buffer.length))
        : this.#buffer;
    if (into !== bytes && (into.buffer !== bytes.buffer || into.byteOffset !== bytes.byteOffset)) {
      into.set(bytes);
    }
    this.#buffer = into;
  }
}
