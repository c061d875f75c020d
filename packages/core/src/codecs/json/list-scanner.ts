import { concatBytes } from "../../bytes.js";
import { decodeError } from "../decode-error.js";

/** Where one item stands in the buffer that was scanned. */
export interface ItemRange {
  readonly start: number;
  readonly end: number;
}

/** What one call of {@link JsonListScanner.scan} found. */
export interface ListScan {
  readonly items: readonly ItemRange[];
  /** Bytes from here on belong to something that is not whole yet; the next buffer must begin with them. */
  readonly keepFrom: number;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

/**
 * Finds the items of the top-level `items` array of a JSON object, in whatever pieces it arrives, by counting
 * braces outside of strings. Values are not checked here: what is cut out is parsed by `JSON.parse`.
 */
export class JsonListScanner {
  #depth = 0;
  #inItems = false;
  #frameDone = false;
  /** The key that was read last at depth 1. */
  #key: string | undefined;
  #expectKey = false;
  #frame: Uint8Array[] = [];
  /** How many bytes at the beginning of the next buffer were looked at already. */
  #resume = 0;

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

  /** The outermost object without its items. Before the end it is closed as it stands. */
  frame(): Uint8Array {
    return concatBytes(this.#frameDone ? this.#frame : [...this.#frame, Buffer.from("]}")]);
  }

  scan(buffer: Buffer): ListScan {
    const items: ItemRange[] = [];
    let position = this.#resume;
    // Where the piece begins that has neither been cut out as an item nor copied to the frame.
    let keepFrom = 0;
    while (position < buffer.length) {
      const byte = buffer[position];
      if (byte === quote) {
        if (this.#isBetweenValues()) {
          throw decodeError("the body is not a JSON list of objects");
        }
        const end = stringEnd(buffer, position);
        if (end < 0) {
          break;
        }
        if (this.#depth === 1 && this.#expectKey) {
          this.#key = buffer.toString("utf8", position + 1, end);
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
          keepFrom = position;
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        this.#depth--;
        if (this.#inItems && this.#depth === 2) {
          items.push({ start: keepFrom, end: position + 1 });
          keepFrom = position + 1;
        } else if (this.#inItems && this.#depth === 1) {
          this.#inItems = false;
          keepFrom = position;
        } else if (this.#depth === 0) {
          this.#frameDone = true;
          this.#frame.push(Uint8Array.prototype.slice.call(buffer, keepFrom, position + 1));
          keepFrom = position + 1;
        } else if (this.#depth < 0) {
          throw decodeError("the list closes more than it opened");
        }
      } else if (byte === comma && this.#depth === 1) {
        this.#expectKey = true;
      } else if (byte !== undefined && this.#isStray(byte)) {
        throw decodeError("the body is not a JSON list of objects");
      }
      position++;
    }
    this.#resume = position - keepFrom;
    return { items, keepFrom };
  }

  /** Something other than white space where no value can stand. */
  #isStray(byte: number): boolean {
    if (byte <= 0x20 || byte === colon) {
      return byte === colon && this.#depth === 0;
    }
    return this.#isBetweenValues() && !(this.#inItems && byte === comma);
  }

  /** Outside of everything, or between two items: only objects may begin here. */
  #isBetweenValues(): boolean {
    return this.#depth === 0 || (this.#inItems && this.#depth === 2);
  }
}

/** The position of the quote that ends the string at `start`; -1 when it is not there yet. */
function stringEnd(buffer: Buffer, start: number): number {
  let end = buffer.indexOf(quote, start + 1);
  while (end >= 0) {
    let before = end - 1;
    while (buffer[before] === backslash) {
      before--;
    }
    if ((end - before) % 2 === 1) {
      return end;
    }
    end = buffer.indexOf(quote, end + 1);
  }
  return -1;
}
