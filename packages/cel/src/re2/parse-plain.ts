import { hasAssertion, isNullable, type PlainPattern } from "./plain-syntax.js";
import { complement, type RuneSet, runeSet } from "./rune-set.js";

/** Maximum nesting of groups; deeper patterns are left to re2js. */
const maxDepth = 50;

/**
 * Parses a pattern in the plain subset of RE2's syntax. Returns undefined for every other pattern, whether invalid or
 * beyond the subset: flags, named groups, named classes, `\Q`, `\p`, `\x`, `\b`, and repetitions of nullable parts
 * (JavaScript ends an empty iteration differently).
 */
export function parsePlain(pattern: string): PlainPattern | undefined {
  const reader = new PlainReader([...pattern]);
  const parsed = reader.readChoice(0);
  return parsed !== undefined && reader.isAtEnd ? parsed : undefined;
}

class PlainReader {
  readonly #runes: readonly string[];
  #at = 0;

  constructor(runes: readonly string[]) {
    this.#runes = runes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#runes.length;
  }

  readChoice(depth: number): PlainPattern | undefined {
    const parts: PlainPattern[] = [];
    do {
      const part = depth > maxDepth ? undefined : this.#readSequence(depth);
      if (part === undefined) {
        return undefined;
      }
      parts.push(part);
    } while (this.#take("|"));
    const [only] = parts;
    if (parts.length === 1) {
      return only;
    }
    // Two alternatives that match nothing would double the attempts for everything that follows.
    return parts.filter(isNullable).length > 1 ? undefined : { kind: "choice", parts };
  }

  #readSequence(depth: number): PlainPattern | undefined {
    const parts: PlainPattern[] = [];
    while (!this.isAtEnd && this.#peek() !== "|" && this.#peek() !== ")") {
      const atom = this.#readAtom(depth);
      const part = atom && this.#readRepetition(atom);
      if (part === undefined) {
        return undefined;
      }
      parts.push(part);
    }
    return { kind: "sequence", parts };
  }

  #readAtom(depth: number): PlainPattern | undefined {
    const rune = this.#next();
    switch (rune) {
      case "^":
        return { kind: "start" };
      case "$":
        return { kind: "end" };
      case ".":
        return { kind: "set", set: complement([[0x0a, 0x0a]]) };
      case "(":
        return this.#readGroup(depth);
      case "[":
        return asSet(this.#readClass());
      case "\\":
        return this.#readEscape();
      case "*":
      case "+":
      case "?":
      case "{":
        return undefined;
      default:
        return { kind: "set", set: single(rune) };
    }
  }

  #readGroup(depth: number): PlainPattern | undefined {
    if (this.#take("?") && !this.#take(":")) {
      return undefined;
    }
    const body = this.readChoice(depth + 1);
    return this.#take(")") ? body : undefined;
  }

  #readEscape(): PlainPattern | undefined {
    const rune = this.#next();
    if (rune === "A") {
      return { kind: "start" };
    }
    return rune === "z" ? { kind: "end" } : asSet(perlClass(rune) ?? escapedRune(rune));
  }

  #readClass(): RuneSet | undefined {
    const isNegated = this.#take("^");
    const ranges: (readonly [number, number])[] = [];
    for (let isFirst = true; isFirst || this.#peek() !== "]"; isFirst = false) {
      if (this.#peek() === "[" && this.#peek(1) === ":") {
        return undefined;
      }
      const named = this.#peek() === "\\" ? perlClass(this.#peek(1)) : undefined;
      if (named !== undefined) {
        this.#at += 2;
        ranges.push(...named);
        continue;
      }
      const low = this.#readClassRune();
      const isRange = this.#peek() === "-" && this.#peek(1) !== "]" && this.#take("-");
      const high = isRange ? this.#readClassRune() : low;
      if (low === undefined || high === undefined || high < low) {
        return undefined;
      }
      ranges.push([low, high]);
    }
    this.#next();
    return isNegated ? complement(runeSet(ranges)) : runeSet(ranges);
  }

  /** Reads one code point of a class; undefined at the end of the pattern and for escapes outside the subset. */
  #readClassRune(): number | undefined {
    const rune = this.#next();
    const set = rune === "\\" ? escapedRune(this.#next()) : rune === "" ? undefined : single(rune);
    return set?.[0]?.[0];
  }

  #readRepetition(atom: PlainPattern): PlainPattern | undefined {
    const bounds = this.#readBounds();
    if (bounds === undefined || bounds === "none") {
      return bounds && atom;
    }
    const isLazy = this.#take("?");
    const isRepeatedAgain = ["*", "+", "?", "{"].includes(this.#peek());
    if (isRepeatedAgain || isNullable(atom) || hasAssertion(atom)) {
      return undefined;
    }
    return { kind: "repeat", body: atom, ...bounds, isLazy };
  }

  #readBounds(): { readonly min: number; readonly max: number } | "none" | undefined {
    if (this.#take("*")) {
      return { min: 0, max: Number.POSITIVE_INFINITY };
    }
    if (this.#take("+")) {
      return { min: 1, max: Number.POSITIVE_INFINITY };
    }
    if (this.#take("?")) {
      return { min: 0, max: 1 };
    }
    if (!this.#take("{")) {
      return "none";
    }
    const min = this.#readCount();
    const hasComma = this.#take(",");
    const max = !hasComma
      ? min
      : this.#peek() === "}"
        ? Number.POSITIVE_INFINITY
        : this.#readCount();
    const isValid = this.#take("}") && min !== undefined && max !== undefined && min <= max;
    return isValid && max > 0 ? { min, max } : undefined;
  }

  #readCount(): number | undefined {
    let digits = "";
    while (/^[0-9]$/.test(this.#peek())) {
      digits += this.#next();
    }
    // RE2 accepts no count with a leading zero, and none above 1,000.
    return /^(?:0|[1-9][0-9]{0,2}|1000)$/.test(digits) ? Number(digits) : undefined;
  }

  #peek(ahead = 0): string {
    return this.#runes[this.#at + ahead] ?? "";
  }

  #next(): string {
    const rune = this.#peek();
    this.#at += rune === "" ? 0 : 1;
    return rune;
  }

  #take(rune: string): boolean {
    const isThere = this.#peek() === rune;
    this.#at += isThere ? 1 : 0;
    return isThere;
  }
}

function asSet(set: RuneSet | undefined): PlainPattern | undefined {
  return set && { kind: "set", set };
}

function single(rune: string): RuneSet {
  const code = rune.codePointAt(0) ?? 0;
  return [[code, code]];
}

const digits: RuneSet = [[0x30, 0x39]];
const wordRunes = runeSet([...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]);
const spaces = runeSet([
  [0x09, 0x0a],
  [0x0c, 0x0d],
  [0x20, 0x20],
]);

/** Returns RE2's `\d`, `\s` and `\w`: ASCII only, and `\s` excludes the vertical tab. */
function perlClass(letter: string): RuneSet | undefined {
  const set = { d: digits, s: spaces, w: wordRunes }[letter.toLowerCase()];
  return set !== undefined && letter !== letter.toLowerCase() ? complement(set) : set;
}

const controls: Readonly<Record<string, string>> = {
  a: "\u0007",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Returns the code point of a plain escape: a control character or ASCII punctuation. */
function escapedRune(rune: string): RuneSet | undefined {
  const isPunctuation = /^[!-/:-@[-`{-~ ]$/.test(rune) && rune !== "_";
  const denoted = Object.hasOwn(controls, rune) ? controls[rune] : isPunctuation ? rune : undefined;
  return denoted === undefined ? undefined : single(denoted);
}
