/** Stands for a bracket in a class; no real pattern writes one like this. */
const escapedBracket = "\\x{00005b}";

/** A class of a pattern, from its bracket to the one that closes it. */
export interface PatternClass {
  readonly end: number;
  /** The class as re2js reads it. */
  readonly source: string;
}

/**
 * Reads the classes of a pattern. In Go, `[:` begins the name of a class only when `:]` stands behind it; re2js looks for that
 * in the rest of the pattern at each `[:`, and also takes `[:]` for a name. A `[:` that begins no name gets an escape.
 */
export class ClassReader {
  readonly #pattern: string;
  readonly #lastName: number;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#lastName = pattern.lastIndexOf(":]");
  }

  /** Reads the class whose bracket stands at `start`; one that is not closed ends with the pattern. */
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

/** Takes the escapes of `ClassReader` out of a message. */
export function withPlainBrackets(message: string): string {
  return message.replaceAll(escapedBracket, "[");
}
