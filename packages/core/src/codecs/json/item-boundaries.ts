import type { ObjectRange } from "./object-range.js";
import { comma, openBrace } from "./tokens.js";

/** How the items of an API server's compact lists begin: built-in kinds, and kinds that say what they are. */
const itemBeginning = /^\{(?:"metadata":\{|"apiVersion":"[^"\\]*","kind":"[^"\\]*",)/;
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
   * The items behind the comma at `from` whose ends are in sight, in a run of about `maxBytes`.
   *
   * @param most - how many at most.
   */
  run(buffer: Buffer, from: number, maxBytes: number, most: number): ObjectRange[] {
    const ranges: ObjectRange[] = [];
    let at = from;
    while (
      this.#separator !== undefined &&
      ranges.length < most &&
      at - from < maxBytes &&
      buffer[at] === comma &&
      buffer[at + 1] === openBrace
    ) {
      const end = buffer.indexOf(this.#separator, at + 1);
      if (end < 0) {
        break;
      }
      ranges.push({ start: at + 1, end: end + 1 });
      at = end + 1;
    }
    return ranges;
  }

  /** To be told when a guess did not parse. */
  wrong(): void {
    this.#wrongGuesses++;
  }
}
