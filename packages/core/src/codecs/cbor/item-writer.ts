import { breakByte, infos, majorTypes } from "./wire.js";

/** Node's internal methods behind `Buffer.write`, without its argument handling. */
interface FastBuffer extends Buffer {
  latin1Write(text: string, offset: number): number;
  utf8Write(text: string, offset: number): number;
}

const firstBytes = 1024;

/** Writes consecutive data items into a buffer that grows. */
export class ItemWriter {
  #bytes = Buffer.allocUnsafe(firstBytes) as FastBuffer;
  #at = 0;

  /** Returns the bytes written. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.byteLength);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.byteLength;
  }

  null(): void {
    this.#byte((majorTypes.simple << 5) | 22);
  }

  boolean(value: boolean): void {
    this.#byte((majorTypes.simple << 5) | (value ? 21 : 20));
  }

  /** Writes the head of an item, which is its type with its value, length or tag, in the fewest bytes. */
  head(type: number, argument: number): void {
    this.#reserve(9);
    const first = type << 5;
    if (argument < infos.oneByte) {
      this.#byte(first | argument);
    } else if (argument < 0x100) {
      this.#byte(first | infos.oneByte);
      this.#byte(argument);
    } else if (argument < 0x1_0000) {
      this.#byte(first | infos.twoBytes);
      this.#at = this.#bytes.writeUInt16BE(argument, this.#at);
    } else if (argument < 0x1_0000_0000) {
      this.#byte(first | infos.fourBytes);
      this.#at = this.#bytes.writeUInt32BE(argument, this.#at);
    } else {
      this.#byte(first | infos.eightBytes);
      this.#at = this.#bytes.writeBigUInt64BE(BigInt(argument), this.#at);
    }
  }

  integer(value: number): void {
    if (value < 0) {
      this.head(majorTypes.negative, -1 - value);
    } else {
      this.head(majorTypes.unsigned, value);
    }
  }

  bigInteger(value: bigint): void {
    const argument = value < 0n ? -1n - value : value;
    const type = value < 0n ? majorTypes.negative : majorTypes.unsigned;
    if (argument <= Number.MAX_SAFE_INTEGER) {
      this.head(type, Number(argument));
      return;
    }
    this.#reserve(9);
    this.#byte((type << 5) | infos.eightBytes);
    this.#at = this.#bytes.writeBigUInt64BE(argument, this.#at);
  }

  /** Writes a floating-point number in the fewest bytes that hold it exactly. */
  float(value: number): void {
    this.#reserve(9);
    const first = majorTypes.simple << 5;
    if (Math.fround(value) !== value) {
      this.#byte(first | infos.eightBytes);
      this.#at = this.#bytes.writeDoubleBE(value, this.#at);
      return;
    }
    const half = toHalf(value);
    if (half === undefined) {
      this.#byte(first | infos.fourBytes);
      this.#at = this.#bytes.writeFloatBE(value, this.#at);
      return;
    }
    this.#byte(first | infos.twoBytes);
    this.#at = this.#bytes.writeUInt16BE(half, this.#at);
  }

  /**
   * Writes a byte string, as Kubernetes does for all strings: text written this way is also valid in a byte field, as
   * base64. A lone surrogate becomes U+FFFD, which has as many bytes.
   *
   * @param bytes - length of the text in UTF-8, if the caller has counted it already.
   */
  text(value: string, bytes: number = Buffer.byteLength(value)): void {
    this.head(majorTypes.bytes, bytes);
    this.#reserve(bytes);
    this.#at +=
      bytes === value.length
        ? this.#bytes.latin1Write(value, this.#at)
        : this.#bytes.utf8Write(value, this.#at);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value & breakByte;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(
        Math.max(this.#bytes.length * 2, this.#at + bytes),
      ) as FastBuffer;
      this.#bytes.copy(larger, 0, 0, this.#at);
      this.#bytes = larger;
    }
  }
}

/** Returns the half-precision bits of a number; `undefined` when they cannot hold it exactly. */
function toHalf(value: number): number | undefined {
  const sign = value < 0 ? 0x8000 : 0;
  const size = Math.abs(value);
  const fraction = size / 2 ** -24;
  if (size < 2 ** -14) {
    return Number.isInteger(fraction) ? sign | fraction : undefined;
  }
  const exponent = Math.floor(Math.log2(size));
  const digits = size / 2 ** (exponent - 10);
  return exponent <= 15 && Number.isInteger(digits)
    ? sign | ((exponent + 15) << 10) | (digits - 0x400)
    : undefined;
}
