import { resolvePlain } from "@typekube/core/yaml";

/**
 * Reads a document of the plain form that most manifests have: block mappings and lists of plain keys, one-line scalars
 * and literal blocks, in ASCII. This takes a fourth of the time of the full parser. Returns `undefined` for every other document,
 * also for an invalid one: the full parser reads it.
 *
 * @param text - one document that ends with a line break.
 */
export function readPlainDocument(text: string): Record<string, unknown> | undefined {
  if (otherCharacter.test(text)) {
    return undefined;
  }
  const reader = new PlainReader(text);
  const value = reader.mapping(0, 0);
  return reader.isAtEnd ? value : undefined;
}

const otherCharacter = /[^\n\x20-\x7e]/;
const key = /([A-Za-z_][\w./-]{0,200}):(?: +|(?=\n))/y;
/** Most characters of a plain scalar; each takes room on the stack of the regular expression. */
const maxPlainScalar = 16_384;

/** A scalar on one line, up to its end: plain, in double quotes, or in single quotes. */
const plainScalar = new RegExp(
  `(?:[A-Za-z0-9_/$]|-(?=[0-9]))(?:[^\\n:#]|:(?=[^\\s,[\\]{}])|(?<! )#){0,${maxPlainScalar}}(?=\\n)`,
  "y",
);
const doubleQuoted = /"([^"\\\n]*)" *(?=\n)/y;
const singleQuoted = /'([^'\n]*)' *(?=\n)/y;
const literalHeader = /\|-?\n/y;
const emptyCollection = /(?:\[\]|\{\}) *(?=\n)/y;

/** Plain keys that are no strings to a server, and the key that is no ordinary property. */
const otherKey = /^(?:y|n|yes|no|true|false|on|off|null|__proto__)$/i;

/** Documents that nest deeper are left to the full parser, which has the limit. */
const maxPlainDepth = 100;

const newline = 0x0a;
const blank = 0x20;
const hash = 0x23;
const dash = 0x2d;

/** Reads one document line by line. A method that meets another form returns `undefined`. */
class PlainReader {
  readonly #text: string;
  /** Beginning of the line that is read next; after a key or a dash, of the value behind it. */
  #at = 0;
  /** Indentation of the next line with content. */
  #indent = -1;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith("---\n")) {
      this.#at = "---\n".length;
    }
    this.#skipToContent();
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Reads a mapping whose keys stand in a column; the first key is at the current position. */
  mapping(column: number, depth: number): Record<string, unknown> | undefined {
    const object: Record<string, unknown> = {};
    if (depth > maxPlainDepth || this.#indent !== column) {
      return undefined;
    }
    while (this.#indent === column) {
      const name = this.#match(key)?.[1];
      if (name === undefined || otherKey.test(name) || Object.hasOwn(object, name)) {
        return undefined;
      }
      const value = this.#value(column, depth);
      if (value === undefined) {
        return undefined;
      }
      object[name] = value;
    }
    return this.#indent > column ? undefined : object;
  }

  /** Reads the value of a key, on the same line or below it. */
  #value(column: number, depth: number): unknown {
    if (this.#text.charCodeAt(this.#at) !== newline) {
      return this.#scalar(column);
    }
    this.#at++;
    this.#skipToContent();
    const isList = this.#text.charCodeAt(this.#at) === dash;
    if (this.#indent > column || (isList && this.#indent === column)) {
      return isList ? this.#list(this.#indent, depth + 1) : this.mapping(this.#indent, depth + 1);
    }
    return null;
  }

  #list(column: number, depth: number): unknown[] | undefined {
    const list: unknown[] = [];
    if (depth > maxPlainDepth) {
      return undefined;
    }
    while (this.#indent === column && this.#text.charCodeAt(this.#at) === dash) {
      let start = this.#at + 1;
      while (this.#text.charCodeAt(start) === blank) {
        start++;
      }
      if (start === this.#at + 1) {
        return undefined;
      }
      const inner = column + start - this.#at;
      this.#at = start;
      key.lastIndex = start;
      let value: unknown;
      if (key.test(this.#text)) {
        this.#indent = inner;
        value = this.mapping(inner, depth + 1);
      } else {
        value = this.#scalar(column);
      }
      if (value === undefined) {
        return undefined;
      }
      list.push(value);
    }
    return this.#indent > column ? undefined : list;
  }

  /** Reads the scalar at the current position, and goes to the next line with content. */
  #scalar(column: number): unknown {
    const value = this.#scalarHere(column);
    if (value !== undefined && this.#text.charCodeAt(this.#at) === newline) {
      this.#at++;
      this.#skipToContent();
    }
    // A deeper line would continue the scalar.
    return this.#indent > column ? undefined : value;
  }

  #scalarHere(column: number): unknown {
    const plain = this.#match(plainScalar);
    if (plain !== undefined) {
      return resolvePlain(plain[0].trimEnd(), 0);
    }
    const quoted = this.#match(doubleQuoted) ?? this.#match(singleQuoted);
    if (quoted !== undefined) {
      return quoted[1];
    }
    const empty = this.#match(emptyCollection);
    if (empty !== undefined) {
      return empty[0].startsWith("[") ? [] : {};
    }
    const header = this.#match(literalHeader);
    return header === undefined ? undefined : this.#literal(column, header[0] === "|-\n");
  }

  /** Reads the lines of a literal block behind its header. */
  #literal(column: number, isStripped: boolean): string | undefined {
    const text = this.#text;
    let lineStart = this.#at;
    let indent = -1;
    let value = "";
    let breaks = "";
    while (lineStart < text.length) {
      const lineEnd = text.indexOf("\n", lineStart);
      let at = lineStart;
      while (text.charCodeAt(at) === blank) {
        at++;
      }
      if (at === lineEnd) {
        // Blanks of an empty line may belong to the text.
        if (at > lineStart || indent < 0) {
          return undefined;
        }
        breaks += "\n";
      } else {
        const found = at - lineStart;
        indent = indent < 0 ? found : indent;
        if (found <= column) {
          break;
        }
        if (found < indent) {
          return undefined;
        }
        value += breaks + text.slice(lineStart + indent, lineEnd);
        breaks = "\n";
      }
      lineStart = lineEnd + 1;
    }
    if (indent <= column) {
      return undefined;
    }
    this.#at = lineStart;
    this.#skipToContent();
    return isStripped ? value : `${value}\n`;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text) ?? undefined;
    this.#at += match?.[0].length ?? 0;
    return match;
  }

  /** Goes to the first character of the next line that is neither empty nor a comment. */
  #skipToContent(): void {
    const text = this.#text;
    let lineStart = this.#at;
    for (;;) {
      let at = lineStart;
      while (text.charCodeAt(at) === blank) {
        at++;
      }
      const code = text.charCodeAt(at);
      if (at >= text.length) {
        this.#at = text.length;
        this.#indent = -1;
        return;
      }
      if (code !== newline && code !== hash) {
        this.#at = at;
        this.#indent = at - lineStart;
        return;
      }
      const lineEnd = code === newline ? at : text.indexOf("\n", at);
      lineStart = lineEnd + 1;
    }
  }
}
