import { codePointCount, isNarrow } from "../values/code-points.js";

/** The text of an expression, with positions in code points. */
export class CelSource {
  readonly text: string;
  /** Length in code points. */
  readonly length: number;
  readonly #narrow: boolean;
  #lines: readonly string[] | undefined;

  constructor(text: string) {
    this.text = text;
    this.#narrow = isNarrow(text);
    this.length = this.#narrow ? text.length : codePointCount(text);
  }

  /** Converts an offset of JavaScript to an offset in code points. */
  offset(index: number): number {
    return this.#narrow ? index : codePointCount(this.text.slice(0, index));
  }

  /** Returns line and column, from 1, of an offset in code points; -1 and 0 for a negative offset. */
  location(offset: number): { readonly line: number; readonly column: number } {
    if (offset < 0) {
      return { line: -1, column: 0 };
    }
    let start = 0;
    const lines = this.#split();
    for (const [index, line] of lines.entries()) {
      const end = start + codePointCount(line);
      if (offset <= end || index === lines.length - 1) {
        return { line: index + 1, column: offset - start + 1 };
      }
      start = end + 1;
    }
    return { line: 1, column: offset + 1 };
  }

  /** Returns a line, counted from 1, without its end. */
  line(number: number): string | undefined {
    return this.#split()[number - 1];
  }

  #split(): readonly string[] {
    this.#lines ??= this.text.split("\n");
    return this.#lines;
  }
}
