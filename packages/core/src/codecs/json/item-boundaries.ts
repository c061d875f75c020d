import type { ObjectRange } from "./object-range.js";
import { comma, openBrace } from "./tokens.js";

/**
 * Matches the beginning of an item in an API server's compact list: built-in kinds; custom resources, whose keys are
 * sorted; and Go objects that carry kind and apiVersion, such as PartialObjectMetadata.
 */
const itemBeginning =
  /^\{(?:"metadata":\{|"apiVersion":"[^"\\]*","kind":"[^"\\]*",|"kind":"[^"\\]*","apiVersion":"[^"\\]*",)/;
const beginningBytes = 512;

/** Wrong guesses in a list after which it is scanned byte by byte. */
const maxWrongGuesses = 4;

/**
 * Guesses where the items of a list end: before a comma that is followed by the usual beginning of an item. A native
 * search costs a tenth of scanning an item's bytes.
 *
 * The caller must read the item and treat a failure as a wrong guess, caused by an object inside of the item. A success
 * confirms the guess: text that begins with a brace is valid JSON only up to the matching brace.
 */
export class ItemBoundaries {
  #separator: Buffer | undefined;
  #wrongGuesses = 0;
  /** `true` when the items carry kind and apiVersion. */
  haveTypeMeta = false;

  /** `true` while guesses are available. */
  get known(): boolean {
    return this.#separator !== undefined && this.#wrongGuesses < maxWrongGuesses;
  }

  /** Learns from an item whose bounds are certain. */
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
   * Returns the end of the last item that ends after the comma at `from`; `undefined` when no end is found.
   *
   * @param searched - number of bytes after `from` that are known to contain no end.
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

  /** Returns the end of the first item after the comma at `from`. */
  nextEnd(buffer: Buffer, from: number): number | undefined {
    if (this.#separator === undefined || !standsAtObject(buffer, from)) {
      return undefined;
    }
    const end = buffer.indexOf(this.#separator, from + 1);
    return end < 0 ? undefined : end + 1;
  }

  /** Returns whether an item ends at `end`, judging by the bytes that follow. */
  isEnd(buffer: Buffer, end: number): boolean {
    const separator = this.#separator;
    for (let at = 0; separator !== undefined && at < separator.length; at++) {
      if (separator[at] !== buffer[end - 1 + at]) {
        return false;
      }
    }
    return separator !== undefined;
  }

  /** Records a wrong guess. */
  wrong(): void {
    this.#wrongGuesses++;
  }
}

function standsAtObject(buffer: Buffer, at: number): boolean {
  return buffer[at] === comma && buffer[at + 1] === openBrace;
}
