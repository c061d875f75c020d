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
 * Guesses where an item of a list ends: before the next comma that is followed by what the last item began with. One
 * native search per item costs a tenth of scanning its bytes.
 *
 * Whoever takes a guess must parse the item and take a failure as a wrong guess, which an object inside of the item
 * leads to. A success proves the guess: what begins with a brace is whole JSON only up to the brace that closes it.
 */
export class ItemBoundaries {
  #separator: Buffer | undefined;
  #wrongGuesses = 0;

  /** Whether guesses are to be had. */
  get known(): boolean {
    return this.#separator !== undefined && this.#wrongGuesses < maxWrongGuesses;
  }

  /** Learns from an item that was found for certain. */
  learn(buffer: Buffer, { start, end }: ObjectRange): void {
    if (this.#separator === undefined) {
      const head = buffer.toString("latin1", start, Math.min(end, start + beginningBytes));
      const beginning = itemBeginning.exec(head)?.[0];
      this.#separator =
        beginning === undefined ? undefined : Buffer.from(`},${beginning}`, "latin1");
    }
  }

  /**
   * The items behind the comma at `from` whose ends are in sight.
   *
   * @param maxBytes - at how many bytes of them it is enough; the last item may go beyond.
   */
  run(buffer: Buffer, from: number, maxBytes: number): ObjectRange[] {
    const ranges: ObjectRange[] = [];
    for (let at = from; at - from < maxBytes; ) {
      const end = this.#nextEnd(buffer, at);
      if (end === undefined) {
        break;
      }
      ranges.push({ start: at + 1, end });
      at = end;
    }
    return ranges;
  }

  /**
   * Where the last item ends that stands behind the comma at `from` and within `maxBytes`, or where the first one ends if
   * it is larger. One search from behind finds a dozen items. `undefined`: no end is in sight.
   */
  lastEnd(buffer: Buffer, from: number, maxBytes: number): number | undefined {
    if (this.#separator !== undefined && standsAtObject(buffer, from)) {
      const last = buffer.lastIndexOf(this.#separator, from + maxBytes);
      if (last > from) {
        return last + 1;
      }
    }
    return this.#nextEnd(buffer, from);
  }

  #nextEnd(buffer: Buffer, from: number): number | undefined {
    if (this.#separator === undefined || !standsAtObject(buffer, from)) {
      return undefined;
    }
    const end = buffer.indexOf(this.#separator, from + 1);
    return end < 0 ? undefined : end + 1;
  }

  /** To be told when a guess did not parse. */
  wrong(): void {
    this.#wrongGuesses++;
  }
}

function standsAtObject(buffer: Buffer, at: number): boolean {
  return buffer[at] === comma && buffer[at + 1] === openBrace;
}
