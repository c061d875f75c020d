import { concatBytes } from "../../bytes.js";
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
 * Finds the items of the top-level `items` array of a JSON object, in whatever pieces it arrives, by counting
 * braces outside of strings. Values are not checked here: what is cut out is parsed by `JSON.parse`.
 */
export class JsonListScanner {
  /** Bytes from here on belong to something that is not whole yet; the next buffer must begin with them. */
  keepFrom = 0;
  /** How often the key `items` was read. JSON has it that the last one counts. */
  itemsKeys = 0;
  #depth = 0;
  #inItems = false;
  /** What came last between the items. */
  #last: "beginning" | "comma" | "item" = "beginning";
  #frameDone = false;
  /** The key that was read last at depth 1. */
  #key: string | undefined;
  #expectKey = false;
  #frame: Uint8Array[] = [];
  /** How many bytes behind `keepFrom` were looked at already. */
  #resume = 0;
  /** How many of the string that begins there: a long one comes in many pieces. */
  #inString = 0;

  /** Whether any value began. */
  get started(): boolean {
    return this.#depth > 0 || this.#frameDone;
  }

  /** Whether the outermost object is closed. */
  get complete(): boolean {
    return this.#frameDone;
  }

  /** Whether the scanner stands inside the `items` array. */
  get insideItems(): boolean {
    return this.#inItems;
  }

  /** Whether it stands behind an item: another may be read by somebody else, who then moves `keepFrom`. */
  get betweenItems(): boolean {
    return this.#inItems && this.#depth === 2;
  }

  /** The outermost object without its items. Before the end it is closed as it stands. */
  frame(): Uint8Array {
    return concatBytes(this.#frameDone ? this.#frame : [...this.#frame, Buffer.from("]}")]);
  }

  /** The next item at or behind `from`, where the bytes begin that were kept; `undefined` when no more is whole. */
  next(buffer: Buffer, from: number): ObjectRange | undefined {
    let position = from + this.#resume;
    // Where the piece begins that has neither been cut out as an item nor copied to the frame.
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
    // A list whose only items have such a key is found in what stands around the items.
    if (this.itemsKeys > 0 && this.#key.includes("\\") && isItemsWithEscapes(this.#key)) {
      throw decodeError("the key of the list's items is written with escapes");
    }
    if (this.#key === "items") {
      this.itemsKeys++;
      this.#last = "beginning";
    }
  }

  /** Something other than white space where no value can stand; the comma between two items is none. */
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

  /** Outside of everything, or between two items: only objects may begin here. */
  #isBetweenValues(): boolean {
    return this.#depth === 0 || this.betweenItems;
  }
}

function isItemsWithEscapes(key: string): boolean {
  try {
    return JSON.parse(`"${key}"`) === "items";
  } catch {
    return false; // What stands around the items is parsed as a whole in the end, and fails there.
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
