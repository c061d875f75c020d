import type { Buffer } from "node:buffer";
import { decodeError } from "../decode-error.js";
import { argumentBytes, breakByte, infos, majorTypes, position, readArgument } from "./wire.js";

/** Values without length inside of each other that a scan goes into; decoding ends long before. */
const maxOpen = 10_000;

/**
 * Finds where a data item ends, in whatever pieces it arrives, by reading heads and passing over strings. Each byte is
 * looked at once. What stands in the item is not checked here: what is cut out is decoded.
 */
export class ItemScanner {
  /** How far the last scan came. Bytes behind it, eight at most, are of a head that is cut: they must come again. */
  position = 0;
  /** How many bytes of the string that was read last are still to come. */
  #missing = 0;
  /** Items to come in the innermost value without length, or in the whole. */
  #left = 1;
  /** What was left around each value without length. */
  #outer: number[] = [];

  /** How many bytes the item needs at least beyond `position`. */
  get needed(): number {
    return this.#missing + this.#left;
  }

  /** Makes it ready for the next item. */
  reset(): void {
    this.#missing = 0;
    this.#left = 1;
    this.#outer = noneOpen;
  }

  /** Goes on; true when the item is whole. */
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
        next = position;
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
      throw decodeError("values without length are nested too deep");
    }
  }
}

const noneOpen: number[] = [];
