/** Escape that replaces a bracket in a class; no real pattern contains it. */
const escapedBracket = "\\x{00005b}";

/** A character class of a pattern, including its brackets. */
export interface PatternClass {
  readonly end: number;
  /** The class in the form that re2js reads. */
  readonly source: string;
}

/**
 * Reads the classes of a pattern. In Go, `[:` begins a class name only if `:]` follows; re2js searches the rest of the
 * pattern for it at each `[:`, and also takes `[:]` for a name. The reader escapes each `[:` that does not begin a
 * name.
 */
export class ClassReader {
  readonly #pattern: string;
  readonly #lastName: number;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#lastName = pattern.lastIndexOf(":]");
  }

  /** Reads the class whose bracket is at `start`; an unclosed class ends with the pattern. */
  read(start: number): PatternClass {
    const pattern = this.#pattern;
    let source = "";
    let copied = start;
    let at = start + (pattern[start + 1] === "^" ? 2 : 1);
    at += pattern[at] === "]" ? 1 : 0;
    while (at < pattern.length && pattern[at] !== "]") {
      if (!pattern.startsWith("[:", at)) {
        at += pattern[at] === "\\" ? 2 : 1;
      } else if (this.#lastName >= at + 2) {
        at = pattern.indexOf(":]", at + 2) + 2;
      } else {
        source += pattern.slice(copied, at) + escapedBracket;
        at += 1;
        copied = at;
      }
    }
    const end = Math.min(at + 1, pattern.length);
    return { end, source: source + pattern.slice(copied, end) };
  }
}

/** Replaces the escapes of `ClassReader` in a message by brackets. */
export function withPlainBrackets(message: string): string {
  return message.replaceAll(escapedBracket, "[");
}
