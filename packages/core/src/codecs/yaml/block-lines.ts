/** The beginning of a flow collection or a quoted scalar in block context. */
export interface FlowToken {
  readonly start: number;
  /** Column of the node, including its tag and anchor. */
  readonly column: number;
  /** Offset after the colon of its key; `undefined` when the key is not on the same line. */
  readonly valueStart: number | undefined;
}

/**
 * Walks through the block structure of a YAML text and stops where a flow collection or a quoted scalar begins. Skips
 * comments, block scalars and plain scalars, including those of several lines.
 */
export class BlockLines {
  readonly #text: string;
  #at = 0;
  #lineStart = 0;
  /** Column of the key or dash whose value is being read; -1 for the document. */
  #parent = -1;
  /** `true` while a plain scalar may continue on the next line. */
  #isPlain = false;
  /** Column of a tag or an anchor in front of the next node. */
  #properties: number | undefined;
  #valueStart: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the next flow collection or quoted scalar. */
  next(): FlowToken | undefined {
    while (this.#at < this.#text.length) {
      if (this.#at === this.#lineStart && this.#skipWholeLine()) {
        continue;
      }
      const token = this.#node();
      if (token !== undefined) {
        return token;
      }
    }
    return undefined;
  }

  /**
   * Continues after a token.
   *
   * @returns `true` when the token was a key.
   */
  goOnBehind({ start, column }: FlowToken, end: number): boolean {
    this.#at = end;
    for (let at = end - 1; at >= start; at--) {
      if (/[\n\r]/.test(this.#text.charAt(at))) {
        this.#lineStart = at + 1;
        break;
      }
    }
    return this.#endNode(column);
  }

  /** Skips a line that begins no node and returns true. On any other line skips only the leading blanks or the marker. */
  #skipWholeLine(): boolean {
    const text = this.#text;
    const marker = /^(?:---|\.\.\.)(?=\s|$)/.test(text.slice(this.#at, this.#at + 4));
    if (marker) {
      this.#parent = -1;
      this.#isPlain = false;
      this.#at += 3;
      return false;
    }
    this.#skip(/[ \t\ufeff]*/y);
    const isDirective = text.charAt(this.#lineStart) === "%";
    const isContinued = this.#isPlain && this.#column() > this.#parent;
    if (/[\n\r#]/.test(text.charAt(this.#at)) || isDirective || isContinued) {
      this.#toNextLine();
      return true;
    }
    this.#isPlain = false;
    return false;
  }

  #node(): FlowToken | undefined {
    const text = this.#text;
    this.#skip(/[ \t]*/y);
    const column = this.#properties ?? this.#column();
    const character = text.charAt(this.#at);
    if (character === "" || /[\n\r#]/.test(character)) {
      this.#toNextLine();
    } else if (/[-?:](?:\s|$)/y.test(text.slice(this.#at, this.#at + 2))) {
      this.#parent = this.#column();
      this.#at += 1;
    } else if (character === "!" || character === "&") {
      this.#properties = column;
      this.#skip(/[^ \t\n\r]+/y);
    } else if (character === "|" || character === ">") {
      this.#skipBlockScalar();
    } else if (/["'[{]/.test(character)) {
      this.#properties = undefined;
      return { start: this.#at, column, valueStart: this.#valueStart };
    } else {
      this.#skipPlain();
      this.#isPlain = !this.#endNode(column);
    }
    return undefined;
  }

  /** Reads the colon after a key, or the rest of the line after a value. Returns true for a key. */
  #endNode(column: number): boolean {
    this.#properties = undefined;
    this.#skip(/[ \t]*/y);
    const isKey = /^:(?:\s|$)/.test(this.#text.slice(this.#at, this.#at + 2));
    if (isKey) {
      this.#parent = column;
      this.#at += 1;
      this.#valueStart = this.#at;
    } else {
      this.#toNextLine();
    }
    return isKey;
  }

  #skipBlockScalar(): void {
    this.#properties = undefined;
    const header = this.#skip(/[|>][-+0-9]*/y);
    this.#toNextLine();
    const digit = Number(/[1-9]/.exec(header)?.[0] ?? 0);
    let indent = digit > 0 ? Math.max(this.#parent, 0) + digit : undefined;
    while (this.#at < this.#text.length) {
      this.#skip(/ */y);
      if (!/[\n\r]/.test(this.#text.charAt(this.#at))) {
        indent ??= Math.max(this.#column(), this.#parent + 1);
        if (this.#column() < indent) {
          this.#at = this.#lineStart;
          return;
        }
      }
      this.#toNextLine();
    }
  }

  /** Reads a plain scalar up to its end on this line. */
  #skipPlain(): void {
    const text = this.#text;
    for (; this.#at < text.length; this.#at++) {
      const character = text.charAt(this.#at);
      const isEnd =
        (character === ":" && isBlank(text.charAt(this.#at + 1))) ||
        (character === "#" && isBlank(text.charAt(this.#at - 1)));
      if (isEnd || character === "\n" || character === "\r") {
        return;
      }
    }
  }

  #column(): number {
    return this.#at - this.#lineStart;
  }

  /** Reads the text that a sticky pattern matches at the current position. */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [match = ""] = pattern.exec(this.#text) ?? [];
    this.#at += match.length;
    return match;
  }

  #toNextLine(): void {
    this.#skip(/[^\n\r]*(?:\r\n|\n|\r)?/y);
    this.#lineStart = this.#at;
    this.#valueStart = undefined;
    this.#properties = undefined;
  }
}

/** True for a blank, a line break and the end of the text. */
export function isBlank(character: string): boolean {
  return character === "" || character === " " || /[\t\n\r]/.test(character);
}
