import { textBetween } from "../../bytes.js";
import { mayHoldLargeInteger } from "./large-integers.js";
import type { ObjectRange } from "./object-range.js";
import { parseText } from "./parse.js";
import { closeBracket, comma, openBracket } from "./tokens.js";

/** A buffer that large texts made larger than this is not kept for the next ones. */
const keptBytes = 256 * 1024;

/** Text that each value has around it: `],[` before it, and `]]` at the very end. */
const bracketBytes = 5;

/**
 * Texts of values that are parsed together: parsing a dozen pods at once costs a tenth less than one by one, and small
 * objects far less. They are put together as bytes, so that one string is made and not a dozen.
 */
export class ObjectGroups {
  #bytes = Buffer.allocUnsafeSlow(0);
  #length = 0;
  #count = 0;

  /**
   * Adds the text between two positions without what stands at `cut`.
   *
   * @returns how many bytes of text there are now.
   */
  add(buffer: Buffer, { start, end }: ObjectRange, cut: ObjectRange | undefined): number {
    this.#reserve(end - start + bracketBytes);
    const bytes = this.#bytes;
    let at = this.#length;
    // Each stands in brackets of its own: a piece of an object, or two objects, do not come out as one.
    bytes[at++] = this.#count === 0 ? openBracket : closeBracket;
    if (this.#count > 0) {
      bytes[at++] = comma;
    }
    bytes[at++] = openBracket;
    if (cut === undefined) {
      at += buffer.copy(bytes, at, start, end);
    } else {
      at += buffer.copy(bytes, at, start, cut.start);
      at += buffer.copy(bytes, at, cut.end, end);
    }
    this.#length = at;
    this.#count++;
    return at;
  }

  /** Parses what was added and forgets it; `undefined` when it is not one value per text. */
  parse(): unknown[] | undefined {
    const bytes = this.#bytes;
    const count = this.#count;
    let length = this.#length;
    bytes[length++] = closeBracket;
    bytes[length++] = closeBracket;
    this.#length = 0;
    this.#count = 0;
    if (bytes.length > keptBytes) {
      this.#bytes = Buffer.allocUnsafeSlow(0);
    }
    let groups: unknown[][];
    try {
      const large = mayHoldLargeInteger(bytes, 0, length);
      groups = parseText(textBetween(bytes, 0, length), large) as unknown[][];
    } catch {
      return undefined;
    }
    const isOneEach = groups.length === count && groups.every((group) => group.length === 1);
    return isOneEach ? groups.map((group) => group[0]) : undefined;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(keptBytes / 2, needed, 2 * this.#bytes.length));
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
  }
}
