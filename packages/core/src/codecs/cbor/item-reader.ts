import { Buffer } from "node:buffer";
import { tooLarge } from "../../bytes.js";
import type { DecodeOptions } from "../codec.js";
import { decodeItem, itemEnd } from "./decoder.js";
import { ItemScanner } from "./item-scanner.js";
import type { Role } from "./roles.js";
import type { TypeMeta } from "./type-meta.js";

/** Less than this may be the beginning of an item that is larger than those before it. */
const minAmpleBytes = 4096;

/** A buffer that one large item made larger than this is given back when the item is done. */
const keptBytes = 4 * 1024 * 1024;

const nothing: Buffer = Buffer.alloc(0);

/** Says that the bytes at hand do not hold a whole item yet. */
export const incomplete: unique symbol = Symbol("incomplete");

/**
 * Decodes data items that follow each other, from pieces of any size. An item that stands in one piece is decoded
 * where it stands; one that does not is put together in a buffer, so that it takes no more memory in many small pieces.
 */
export class ItemReader {
  /** Where the item ended that was read last; behind what was taken in when it is incomplete. */
  position = 0;
  readonly #what: string;
  readonly #maxBytes: number;
  readonly #options: DecodeOptions;
  readonly #scanner = new ItemScanner();
  /** What came of the item in progress before the bytes at hand. */
  #pieces: Buffer = nothing;
  #pieceBytes = 0;
  /** With so many bytes at hand the next item is whole in all likelihood. */
  #ampleBytes = Number.POSITIVE_INFINITY;

  /**
   * @param what - named in the error for an item that is too large.
   * @param maxBytes - checked before more of an item is kept.
   */
  constructor(what: string, maxBytes: number, options: DecodeOptions) {
    this.#what = what;
    this.#maxBytes = maxBytes;
    this.#options = options;
  }

  /** How many bytes of an item in progress were taken in. */
  get pendingBytes(): number {
    return this.#pieceBytes;
  }

  /**
   * Reads the item that begins, or goes on, at `start`.
   *
   * @param typeMeta - what the item gets when it says neither kind nor apiVersion.
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
      // Doubled, so that a large item is copied twice at most.
      const larger = Buffer.allocUnsafeSlow(Math.max(minAmpleBytes, 2 * size));
      larger.set(this.#pieces.subarray(0, this.#pieceBytes));
      this.#pieces = larger;
    }
    this.#pieces.set(bytes.subarray(start, end), this.#pieceBytes);
    this.#pieceBytes = size;
  }

  /**
   * Decodes without having looked for the end first, which would cost a tenth of the time. What fails here, because
   * the item is larger than those before it or broken, is looked at again in the careful way.
   */
  #readAtOnce(bytes: Buffer, start: number, role: Role, typeMeta?: TypeMeta): unknown {
    let item: unknown;
    try {
      item = decodeItem(bytes, start, bytes.length, role, this.#options, typeMeta);
    } catch {
      this.#ampleBytes = Number.POSITIVE_INFINITY;
      return incomplete;
    }
    const size = itemEnd - start;
    if (size > this.#maxBytes) {
      throw tooLarge(this.#what, this.#maxBytes, "maxObjectBytes");
    }
    if (2 * size > this.#ampleBytes) {
      this.#ampleBytes = 2 * size;
    }
    this.position = itemEnd;
    return item;
  }
}
