const initialBytes = 4096;
/** Bytes of the largest buffer that is kept for the next writer. */
const keptBytes = 64 * 1024;

/** The buffer of a writer that has finished, for the next one: a new one costs as much as writing a small object. */
let spare: Buffer | undefined;

/**
 * Writes a message from its end to its beginning, so that the length of the content is known when it has to be written
 * in front of it. (gogo's generated Go code does the same.)
 */
export class ReverseWriter {
  #buffer: Buffer;
  #start: number;

  constructor() {
    this.#buffer = spare ?? Buffer.allocUnsafe(initialBytes);
    this.#start = this.#buffer.length;
    spare = undefined;
  }

  /** Returns the number of bytes written so far, for {@link lengthSince}. */
  mark(): number {
    return this.#buffer.length - this.#start;
  }

  /** Writes the number of bytes written since the mark, as the length in front of a message. */
  lengthSince(mark: number): void {
    this.varint(this.mark() - mark);
  }

  /** Writes a field's tag, given as one number. */
  tag(tag: number): void {
    this.varint(tag);
  }

  /** Writes an unsigned integer. */
  varint(value: number): void {
    this.#reserve(10);
    let length = 1;
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) {
      length++;
    }
    this.#start -= length;
    let rest = value;
    for (let i = 0; i < length; i++) {
      const more = i < length - 1;
      this.#buffer[this.#start + i] = (rest % 128) + (more ? 128 : 0);
      rest = Math.floor(rest / 128);
    }
  }

  /** Writes a signed 64-bit integer. Negative ones take ten bytes. */
  integer(value: number | bigint): void {
    if (typeof value === "number" && value >= 0) {
      this.varint(value);
      return;
    }
    this.#reserve(10);
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    do {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      bytes.push(rest > 0n ? low | 0x80 : low);
    } while (rest > 0n);
    this.#start -= bytes.length;
    this.#buffer.set(bytes, this.#start);
  }

  /** Writes a double in eight bytes, little-endian. */
  double(value: number): void {
    this.#reserve(8);
    this.#start -= 8;
    this.#buffer.writeDoubleLE(value, this.#start);
  }

  /** Writes an unsigned integer in four bytes, big-endian. */
  fixed32BE(value: number): void {
    this.#reserve(4);
    this.#start -= 4;
    this.#buffer.writeUInt32BE(value, this.#start);
  }

  /** Writes bytes with their length in front. */
  bytes(value: Uint8Array): void {
    this.raw(value);
    this.varint(value.byteLength);
  }

  /** Writes bytes without their length. */
  raw(value: Uint8Array): void {
    this.#reserve(value.byteLength);
    this.#start -= value.byteLength;
    this.#buffer.set(value, this.#start);
  }

  /** Writes text in UTF-8 with its length in front. */
  text(value: string): void {
    const length = Buffer.byteLength(value, "utf8");
    this.#reserve(length);
    this.#start -= length;
    this.#buffer.write(value, this.#start, length, "utf8");
    this.varint(length);
  }

  /** Returns everything written, in its final order. Nothing more can be written. */
  finish(): Uint8Array {
    const written = Uint8Array.prototype.slice.call(this.#buffer, this.#start);
    if (this.#buffer.length <= keptBytes) {
      spare = this.#buffer;
    }
    return written;
  }

  #reserve(bytes: number): void {
    if (this.#start >= bytes) {
      return;
    }
    const used = this.#buffer.length - this.#start;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, used + bytes));
    this.#buffer.copy(larger, larger.length - used, this.#start);
    this.#start = larger.length - used;
    this.#buffer = larger;
  }
}
