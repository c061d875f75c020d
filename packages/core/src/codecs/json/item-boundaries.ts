import type { ItemRange } from "./list-scanner.js";
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
  learn(buffer: Buffer, { start, end }: ItemRange): void {
    if (this.#separator === undefined) {
      const head = buffer.toString("latin1", start, Math.min(end, start + beginningBytes));
      const beginning = itemBeginning.exec(head)?.[0];
      this.#separator =
        beginning === undefined ? undefined : Buffer.from(`},${beginning}`, "latin1");
    }
  }

  /** The item behind the comma at `from`; `undefined` when the one after it is not there yet. */
  next(buffer: Buffer, from: number): ItemRange | undefined {
    if (this.#separator === undefined || buffer[from] !== comma || buffer[from + 1] !== openBrace) {
      return undefined;
    }
    const start = from + 1;
    const end = buffer.indexOf(this.#separator, start);
    return end < 0 ? undefined : { start, end: end + 1 };
  }

  /** To be told when a guess did not parse. */
  wrong(): void {
    this.#wrongGuesses++;
  }
}
