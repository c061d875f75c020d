const quote = 0x22;
const brace = 0x7b;
const backslash = 0x5c;
const open = new Set(Buffer.from("{["));
const close = new Set(Buffer.from("}]"));
const blanks = new Set(Buffer.from(" \t\n\r"));
const others = new Set(Buffer.from(",:+-.0123456789Etrufalsn"));

/**
 * Finds the end of a JSON object in the bytes of a document. JSON objects may follow each other without a separator, as
 * `jq -c` writes them; YAML allows no `{` after the end of a mapping, so this is unambiguous. A byte that JSON does not
 * have ends the search: the document is YAML.
 */
export class JsonExtent {
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #isJson = true;
  #hasEnded = false;

  /**
   * Reads the next byte.
   *
   * @returns `true` for the byte that begins another object after the end of the first.
   */
  begins(byte: number): boolean {
    if (!this.#isJson) {
      return false;
    }
    if (this.#inString) {
      this.#inString = byte !== quote || this.#isEscaped;
      this.#isEscaped = byte === backslash && !this.#isEscaped;
      return false;
    }
    if (blanks.has(byte)) {
      return false;
    }
    if (this.#hasEnded) {
      this.#isJson = false;
      return byte === brace;
    }
    if (byte === quote) {
      this.#inString = true;
    } else if (open.has(byte)) {
      this.#depth++;
    } else if (close.has(byte)) {
      this.#depth--;
      this.#hasEnded = this.#depth === 0;
    } else if (!others.has(byte)) {
      this.#isJson = false;
    }
    return false;
  }
}
