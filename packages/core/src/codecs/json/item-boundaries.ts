import type { ObjectRange } from "./object-range.js";
import { comma, openBrace } from "./tokens.js";

/**
 * How the items of an API server's compact lists begin: built-in kinds; custom resources, whose keys are sorted; and Go's
 * objects that say what they are, such as PartialObjectMetadata.
 */
const itemBeginning =
  /^\{(?:"metadata":\{|"apiVersion":"[^"\\]*","kind":"[^"\\]*",|"kind":"[^"\\]*","apiVersion":"[^"\\]*",)/;
const beginningBytes = 512;

/** A list whose items mislead this often is scanned byte by byte from then on. */
const maxWrongGuesses = 4;

/**
 * Guesses where items of a list end: before the next comma that is followed by what the last item began with. A
 * native search costs a tenth of scanning an item's bytes.
 *
 * Whoever takes a guess must read the item and take a failure as a wrong guess, which an object inside of the item
 * leads to. A success proves the guess: what begins with a brace is whole JSON only up to the brace that closes it.
 */
export class ItemBoundaries {
  #separator: Buffer | undefined;
  #wrongGuesses = 0;
  /** Whether items say what they are. */
  haveTypeMeta = false;

  /** Whether guesses are to be had. */
  get known(): boolean {
    return this.#separator !== undefined && this.#wrongGuesses < maxWrongGuesses;
  }

  /** Learns from an item that was found for certain. */
  learn(buffer: Buffer, { start, end }: ObjectRange): void {
    if (this.#separator === undefined) {
      const head = buffer.toString("latin1", start, Math.min(end, start + beginningBytes));
      const beginning = itemBeginning.exec(head)?.[0];
      if (beginning !== undefined) {
        this.#separator = Buffer.from(`},${beginning}`, "latin1");
        this.haveTypeMeta = !beginning.startsWith('{"metadata');
      }
    }
  }

  /**
   * Where the last item ends of those behind the comma at `from`; `undefined` when no end is in sight.
   *
   * @param searched - how many bytes from there on are known to have no end.
   */
  lastEnd(buffer: Buffer, from: number, searched: number): number | undefined {
    const separator = this.#separator;
    if (separator === undefined || !standsAtObject(buffer, from)) {
      return undefined;
    }
    const first = from + Math.max(1, searched - separator.length);
    const last = buffer.subarray(first).lastIndexOf(separator);
    return last < 0 ? undefined : first + last + 1;
  }

  /** Where the first item ends behind the comma at `from`. */
  nextEnd(buffer: Buffer, from: number): number | undefined {
    if (this.#separator === undefined || !standsAtObject(buffer, from)) {
      return undefined;
    }
    const end = buffer.indexOf(this.#separator, from + 1);
    return end < 0 ? undefined : end + 1;
  }

  /** Whether an item ends at `end`, going by what follows it. */
  isEnd(buffer: Buffer, end: number): boolean {
    const separator = this.#separator;
    for (let at = 0; separator !== undefined && at < separator.length; at++) {
      if (separator[at] !== buffer[end - 1 + at]) {
        return false;
      }
    }
    return separator !== undefined;
  }

  /** To be told when a guess was none. */
  wrong(): void {
    this.#wrongGuesses++;
  }
}

function standsAtObject(buffer: Buffer, at: number): boolean {
  return buffer[at] === comma && buffer[at + 1] === openBrace;
}
