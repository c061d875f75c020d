import { concatBytes } from "../../bytes/bytes.js";
import { decodeError } from "../decode-error.js";
import type { ObjectRange } from "./object-range.js";
import {
  closeBrace,
  closeBracket,
  comma,
  openBrace,
  openBracket,
  quote,
  stringEnd,
} from "./tokens.js";

/**
 * Finds the items in the top-level `items` array of a JSON object that arrives in chunks of any size, by counting
 * braces outside of strings. Does not check values: `JSON.parse` parses what is cut out.
 */
export class JsonListScanner {
  /** Start of the bytes that belong to an incomplete element; the next buffer must begin with them. */
  keepFrom = 0;
  /** Number of `items` keys read so far. In JSON, the last of equal keys counts. */
  itemsKeys = 0;
  #depth = 0;
  #inItems = false;
  /** Last element between the items. */
  #last: "beginning" | "comma" | "item" = "beginning";
  #frameDone = false;
  /** Key that was read last at depth 1. */
  #key: string | undefined;
  #expectKey = false;
  #frame: Uint8Array[] = [];
  /** Number of bytes after `keepFrom` that are already scanned. */
  #resume = 0;
  /** Number of scanned bytes in the string that begins there: a long string arrives in many chunks. */
  #inString = 0;

  /** `true` once a value has begun. */
  get started(): boolean {
    return this.#depth > 0 || this.#frameDone;
  }

  /** `true` once the outermost object is closed. */
  get complete(): boolean {
    return this.#frameDone;
  }

  /** `true` inside the `items` array. */
  get insideItems(): boolean {
    return this.#inItems;
  }

  /**
   * `true` in the `items` array, outside of an item. The caller may then read items itself and continue the scan after
   * them.
   */
  get betweenItems(): boolean {
    return this.#inItems && this.#depth === 2;
  }

  /** Returns the outermost object without its items. Before the end, its open brackets are closed. */
  frame(): Uint8Array {
    return concatBytes(this.#frameDone ? this.#frame : [...this.#frame, Buffer.from("]}")]);
  }

  /** Returns the next item at or after `from`, the start of the kept bytes; `undefined` when no further item is whole. */
  next(buffer: Buffer, from: number): ObjectRange | undefined {
    let position = from + this.#resume;
    // Start of the bytes that are neither cut out as an item nor copied to the frame yet.
    let keepFrom = from;
    while (position < buffer.length) {
      const byte = buffer[position];
      if (byte === quote) {
        if (this.#isBetweenValues()) {
          throw decodeError("the body is not a JSON list of objects");
        }
        const end = stringEnd(buffer, position, position + Math.max(1, this.#inString));
        if (end < 0) {
          this.#inString = buffer.length - position;
          break;
        }
        this.#inString = 0;
        if (this.#depth === 1 && this.#expectKey) {
          this.#setKey(buffer, position + 1, end);
          this.#expectKey = false;
        }
        position = end + 1;
        continue;
      }
      if (byte === openBrace || byte === openBracket) {
        if (this.#frameDone) {
          throw decodeError("the list is followed by something else");
        }
        this.#depth++;
        if (this.#depth === 1) {
          this.#expectKey = byte === openBrace;
        } else if (this.#depth === 2 && byte === openBracket && this.#key === "items") {
          this.#inItems = true;
          this.#frame.push(Uint8Array.prototype.slice.call(buffer, keepFrom, position + 1));
          keepFrom = position + 1;
        } else if (this.#depth === 3 && this.#inItems) {
          if (byte === openBracket || this.#last === "item") {
            throw decodeError("the items of the list are not objects with commas between them");
          }
          keepFrom = position;
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        this.#depth--;
        if (this.#inItems && this.#depth === 2) {
          this.#last = "item";
          this.#resume = 0;
          this.keepFrom = position + 1;
          return { start: keepFrom, end: position + 1 };
        }
        if (this.#inItems && this.#depth === 1) {
          if (this.#last === "comma") {
            throw decodeError("a comma follows the last item of the list");
          }
          this.#inItems = false;
          keepFrom = position;
        } else if (this.#depth === 0) {
          this.#frameDone = true;
          this.#frame.push(Uint8Array.prototype.slice.call(buffer, keepFrom, position + 1));
          keepFrom = position + 1;
        } else if (this.#depth < 0) {
          throw decodeError("the list has unbalanced brackets");
        }
      } else if (byte === comma && this.#depth === 1) {
        this.#expectKey = true;
      } else if (byte !== undefined && this.#isStray(byte)) {
        throw decodeError("the body is not a JSON list of objects");
      }
      position++;
    }
    this.#resume = position - keepFrom;
    this.keepFrom = keepFrom;
    return undefined;
  }

  #setKey(buffer: Buffer, start: number, end: number): void {
    this.#key = buffer.toString("utf8", start, end);
    // A list that has its only items under such a key is rejected when the frame is parsed.
    if (this.itemsKeys > 0 && this.#key.includes("\\") && isItemsWithEscapes(this.#key)) {
      throw decodeError("the key items of the list contains escapes");
    }
    if (this.#key === "items") {
      this.itemsKeys++;
      this.#last = "beginning";
    }
  }

  /**
   * Returns true for a byte that is not allowed between values: anything but white space and the comma between two
   * items.
   */
  #isStray(byte: number): boolean {
    if (isSpace(byte)) {
      return false;
    }
    if (this.betweenItems && byte === comma && this.#last === "item") {
      this.#last = "comma";
      return false;
    }
    return this.#isBetweenValues();
  }

  /** Returns true outside of everything and between two items, where only objects may begin. */
  #isBetweenValues(): boolean {
    return this.#depth === 0 || this.betweenItems;
  }
}

function isItemsWithEscapes(key: string): boolean {
  try {
    return JSON.parse(`"${key}"`) === "items";
  } catch {
    return false; // The frame is parsed as a whole in the end, and fails there.
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
