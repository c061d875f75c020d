import { Buffer } from "node:buffer";
import { tooLarge } from "../../bytes/bytes.js";
import type { DecodeOptions } from "../codec.js";
import { decodeItem, outItemEnd } from "./decoder.js";
import { ItemScanner } from "./item-scanner.js";
import type { Role } from "./roles.js";
import type { TypeMeta } from "./type-meta.js";

/** Minimum of `#ampleBytes`. Fewer bytes may be the beginning of an item that is larger than the previous ones. */
const minAmpleBytes = 4096;

/** Size in bytes above which the buffer of a large item is released once the item is complete. */
const keptBytes = 4 * 1024 * 1024;

const nothing: Buffer = Buffer.alloc(0);

/** Result of a read when the available bytes do not hold a whole item yet. */
export const incomplete: unique symbol = Symbol("incomplete");

/**
 * Decodes consecutive data items from chunks of any size. Decodes an item in place when one chunk holds it all.
 * Otherwise collects it in one buffer, so that many small chunks take no more memory than a large one.
 */
export class ItemReader {
  /** End of the item that was read last; the end of the consumed bytes when the item is incomplete. */
  position = 0;
  readonly #what: string;
  readonly #maxBytes: number;
  readonly #options: DecodeOptions;
  readonly #scanner = new ItemScanner();
  /** Bytes of the current item from earlier chunks. */
  #pieces: Buffer = nothing;
  #pieceBytes = 0;
  /** Number of available bytes from which the next item is most likely whole. */
  #ampleBytes = Number.POSITIVE_INFINITY;

  /**
   * @param what - names an item in the error when it is too large.
   * @param maxBytes - checked before more of an item is kept.
   */
  constructor(what: string, maxBytes: number, options: DecodeOptions) {
    this.#what = what;
    this.#maxBytes = maxBytes;
    this.#options = options;
  }

  /** Number of bytes kept of an incomplete item. */
  get pendingBytes(): number {
    return this.#pieceBytes;
  }

  /**
   * Reads the item that begins, or continues, at `start`.
   *
   * @param typeMeta - kind and apiVersion for an item that has neither.
   */
  read(bytes: Buffer, start: number, role: Role, typeMeta?: TypeMeta): unknown {
    if (bytes.length - start >= this.#ampleBytes && this.#pieceBytes === 0) {
      const item = this.#readAtOnce(bytes, start, role, typeMeta);
      if (item !== incomplete) {
        return item;
      }
    }
    const whole = this.#scanner.scan(bytes, start, bytes.length);
    const end = this.#scanner.position;
    this.position = end;
    const size = this.#pieceBytes + end - start;
    if (size + (whole ? 0 : this.#scanner.needed) > this.#maxBytes) {
      throw tooLarge(this.#what, this.#maxBytes, "maxObjectBytes");
    }
    if (!whole) {
      if (end > start) {
        this.#keep(bytes, start, end);
      }
      return incomplete;
    }
    this.#scanner.reset();
    this.#ampleBytes = Math.max(2 * size, minAmpleBytes);
    if (this.#pieceBytes === 0) {
      return decodeItem(bytes, start, end, role, this.#options, typeMeta);
    }
    this.#keep(bytes, start, end);
    const pieces = this.#pieces;
    this.#pieceBytes = 0;
    if (pieces.length > keptBytes) {
      this.#pieces = nothing;
    }
    return decodeItem(pieces, 0, size, role, this.#options, typeMeta);
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    const size = this.#pieceBytes + end - start;
    if (size > this.#pieces.length) {
      // Doubled, so that a large item is copied at most twice.
      const larger = Buffer.allocUnsafeSlow(Math.max(minAmpleBytes, 2 * size));
      larger.set(this.#pieces.subarray(0, this.#pieceBytes));
      this.#pieces = larger;
    }
    this.#pieces.set(bytes.subarray(start, end), this.#pieceBytes);
    this.#pieceBytes = size;
  }

  /**
   * Decodes without finding the item's end first, which would cost a tenth of the time. When that fails, because the
   * item is larger than the previous ones or malformed, `read` scans for the end first.
   */
  #readAtOnce(bytes: Buffer, start: number, role: Role, typeMeta?: TypeMeta): unknown {
    let item: unknown;
    try {
      item = decodeItem(bytes, start, bytes.length, role, this.#options, typeMeta);
    } catch {
      this.#ampleBytes = Number.POSITIVE_INFINITY;
      return incomplete;
    }
    const size = outItemEnd - start;
    if (size > this.#maxBytes) {
      throw tooLarge(this.#what, this.#maxBytes, "maxObjectBytes");
    }
    if (2 * size > this.#ampleBytes) {
      this.#ampleBytes = 2 * size;
    }
    this.position = outItemEnd;
    return item;
  }
}
