import { BlockLines, isBlank } from "./block-lines.js";

/** A range of a text that the parser reads as blanks, or a colon that it reads as a letter. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly isColon: boolean;
}

const flowIndicators = ",[]{}";

/**
 * Returns a text in which each flow collection and each quoted scalar is on one line, for a parser that checks the
 * indentation inside of them. go-yaml 2, which kubectl and API servers use, does not check it: a `]` may stand in the
 * key's column, and a tab counts as a blank. It also ends a plain scalar at a colon only before a blank, so
 * `2001:db8::` is one scalar; such a colon becomes a letter.
 *
 * All positions stay the same, so scalars can be read from the original text. Takes linear time. An unterminated
 * collection or quote stays unchanged, with everything after it.
 */
export function withFlowOnOneLine(text: string): string {
  const scanner = new FlowScanner(text);
  scanner.run();
  const pieces: string[] = [];
  let end = 0;
  for (const edit of scanner.edits) {
    const fill = edit.isColon ? "x" : " ".repeat(edit.end - edit.start);
    pieces.push(text.slice(end, edit.start), fill);
    end = edit.end;
  }
  return end === 0 ? text : pieces.join("") + text.slice(end);
}

/**
 * Finds the flow collections and quoted scalars of a text, by the few rules of block context that show where one
 * begins.
 */
class FlowScanner {
  readonly edits: Edit[] = [];
  readonly #text: string;
  readonly #lines: BlockLines;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new BlockLines(text);
  }

  run(): void {
    for (let token = this.#lines.next(); token !== undefined; token = this.#lines.next()) {
      const before = this.edits.length;
      const first = this.#text.charAt(token.start);
      const end =
        first === '"' || first === "'" ? this.#quoted(token.start) : this.#flow(token.start);
      if (end === undefined) {
        this.edits.length = before;
        return;
      }
      if (this.#lines.goOnBehind(token, end)) {
        // A key must end on the line where it begins.
        this.edits.length = before;
      } else if (/^[\t ]+$/.test(this.#text.slice(token.valueStart ?? token.start, token.start))) {
        const start = token.valueStart ?? token.start;
        this.edits.splice(before, 0, { start, end: token.start, isColon: false });
      }
    }
  }

  /** Reads a quoted scalar; returns its end. */
  #quoted(start: number): number | undefined {
    const quote = this.#text.charAt(start);
    for (let at = start + 1; at < this.#text.length; at++) {
      const character = this.#text.charAt(at);
      if (character === "\\" && quote === '"') {
        if (!/[\n\r]/.test(this.#text.charAt(at + 1))) {
          at++;
        }
      } else if (character === quote) {
        if (quote === '"' || this.#text.charAt(at + 1) !== quote) {
          return at + 1;
        }
        at++;
      } else if (!this.#passBreak(at, character)) {
        return undefined;
      }
    }
    return undefined;
  }

  /** Reads a flow collection; returns its end. */
  #flow(start: number): number | undefined {
    const text = this.#text;
    let depth = 0;
    let isPlain = false;
    let at = start;
    while (at < text.length) {
      const character = text.charAt(at);
      let end = at + 1;
      if (flowIndicators.includes(character)) {
        isPlain = false;
        depth += character === "[" || character === "{" ? 1 : character === "," ? 0 : -1;
        if (depth === 0) {
          return end;
        }
      } else if (!isPlain && (character === '"' || character === "'")) {
        const quoteEnd = this.#quoted(at);
        if (quoteEnd === undefined) {
          return undefined;
        }
        end = quoteEnd;
      } else if (character === "#" && (!isPlain || isBlank(text.charAt(at - 1)))) {
        isPlain = false;
        end = endOfLine(text, at);
        this.#edit(at, end);
      } else if (character === ":" && (!isPlain || isBlank(text.charAt(at + 1)))) {
        isPlain = false;
      } else if (character === ":" && flowIndicators.includes(text.charAt(at + 1))) {
        this.edits.push({ start: at, end, isColon: true });
      } else if (character === "\t") {
        this.#edit(at, end);
      } else if (!this.#passBreak(at, character)) {
        return undefined;
      } else if (!isBlank(character)) {
        isPlain = true;
      }
      at = end;
    }
    return undefined;
  }

  /** Blanks out a line break; false when the next line is the marker of another document. */
  #passBreak(at: number, character: string): boolean {
    if (character !== "\n" && character !== "\r") {
      return true;
    }
    this.#edit(at, at + 1);
    return !/^(?:---|\.\.\.)(?:\s|$)/.test(this.#text.slice(at + 1, at + 5));
  }

  #edit(start: number, end: number): void {
    this.edits.push({ start, end, isColon: false });
  }
}

/** Returns the offset of the line break that ends the line, or the end of the text. */
function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) {
      return at;
    }
  }
  return text.length;
}
