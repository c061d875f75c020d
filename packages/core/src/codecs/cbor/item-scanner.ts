import type { Buffer } from "node:buffer";
import { decodeError } from "../decode-error.js";
import { argumentBytes, breakByte, infos, majorTypes, outPosition, readArgument } from "./wire.js";

/** Nested indefinite-length values that a scan accepts. The decoder rejects far fewer. */
const maxOpen = 10_000;

/**
 * Finds the end of a data item that arrives in chunks of any size, by reading heads and skipping strings. Inspects each
 * byte once. Does not check the item's content; the decoder does.
 */
export class ItemScanner {
  /**
   * Position that the last scan reached. The bytes after it, at most eight, belong to a truncated head: the caller must
   * pass them again.
   */
  position = 0;
  /** Bytes still missing from the string that was read last. */
  #missing = 0;
  /** Items left in the innermost indefinite-length value, or in the whole item. */
  #left = 1;
  /** Items left outside of each open indefinite-length value. */
  #outer: number[] = [];

  /** Minimum number of bytes that the item still needs beyond `position`. */
  get needed(): number {
    return this.#missing + this.#left;
  }

  /** Prepares the scanner for the next item. */
  reset(): void {
    this.#missing = 0;
    this.#left = 1;
    this.#outer = noneOpen;
  }

  /** Continues the scan. Returns true when the item is whole. */
  scan(bytes: Buffer, start: number, end: number): boolean {
    let at = start;
    if (this.#missing > 0) {
      const here = Math.min(this.#missing, end - at);
      this.#missing -= here;
      at += here;
      if (this.#missing > 0) {
        this.position = at;
        return false;
      }
    }
    let left = this.#left;
    for (;;) {
      if (left === 0) {
        if (this.#outer.length === 0) {
          break;
        }
        if (at >= end) {
          break;
        }
        if (bytes[at] === breakByte) {
          at++;
          left = this.#outer.pop() as number;
          continue;
        }
        left = 1;
      }
      if (at >= end) {
        break;
      }
      const head = bytes[at] as number;
      const info = head & 0x1f;
      let argument = info;
      let next = at + 1;
      if (info >= infos.oneByte) {
        if (next + argumentBytes(info) > end) {
          break;
        }
        if (info === infos.indefinite) {
          at = next;
          this.#open(head >> 5, left - 1);
          left = 0;
          continue;
        }
        argument = readArgument(bytes, next, end, info);
        next = outPosition;
      }
      at = next;
      switch (head >> 5) {
        case majorTypes.bytes:
        case majorTypes.text:
          left--;
          at += argument;
          if (at > end) {
            this.#missing = at - end;
            this.position = end;
            this.#left = left;
            return false;
          }
          break;
        case majorTypes.array:
          left += argument - 1;
          break;
        case majorTypes.map:
          left += argument * 2 - 1;
          break;
        case majorTypes.tag:
          break;
        default:
          left--;
      }
    }
    this.position = at;
    this.#left = left;
    return left === 0 && this.#outer.length === 0;
  }

  #open(type: number, outer: number): void {
    switch (type) {
      case majorTypes.bytes:
      case majorTypes.text:
      case majorTypes.array:
      case majorTypes.map:
        break;
      default:
        throw decodeError("unexpected break or indefinite length");
    }
    if (this.#outer === noneOpen) {
      this.#outer = [];
    }
    this.#outer.push(outer);
    if (this.#outer.length > maxOpen) {
      throw decodeError(`more than ${maxOpen} indefinite-length values are nested`);
    }
  }
}

const noneOpen: number[] = [];
