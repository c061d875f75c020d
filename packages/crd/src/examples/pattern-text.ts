import type { Random } from "./random.js";

/** Repetitions beyond the least number that `*`, `+` and `{n,}` produce. */
const maxMore = 3;

/** Produces a text of a part of a pattern. */
type Part = (random: Random) => string;

const [digits, spaces] = ["0123456789", " \t"];
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const words = `${letters}${digits}_`;
const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("");

/** Characters of `\d` and others; those that begin with `^` are all others. */
const classes: Readonly<Record<string, string>> = {
  d: digits,
  D: without(printable, digits),
  s: spaces,
  S: without(printable, spaces),
  w: words,
  W: without(printable, words),
};
const controls: Readonly<Record<string, string>> = { f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/**
 * Returns a function that produces texts of a pattern of RE2; `undefined` for a pattern with classes of Unicode or flags
 * other than `i` and `s`. Not all texts match: anchors inside of the pattern are ignored.
 */
export function patternText(pattern: string): Part | undefined {
  try {
    return new PatternReader(pattern).read();
  } catch (error) {
    if (error instanceof UnreadablePattern) {
      return undefined;
    }
    throw error;
  }
}

class UnreadablePattern extends Error {}

class PatternReader {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  read(): Part {
    const part = this.#alternatives();
    if (this.#at < this.#characters.length) {
      throw new UnreadablePattern();
    }
    return part;
  }

  #alternatives(): Part {
    const options: [Part, ...Part[]] = [this.#sequence()];
    while (this.#takes("|")) {
      options.push(this.#sequence());
    }
    return (random) => random.pick(options)(random);
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#characters.length && !["|", ")"].includes(this.#peek())) {
      parts.push(this.#repeated(this.#atom()));
    }
    return (random) => parts.map((part) => part(random)).join("");
  }

  #repeated(part: Part): Part {
    const bounds = this.#bounds();
    if (bounds === undefined) {
      return part;
    }
    this.#takes("?");
    const [least, most] = bounds;
    return (random) =>
      Array.from({ length: random.integer(least, most) }, () => part(random)).join("");
  }

  #bounds(): readonly [number, number] | undefined {
    if (this.#takes("*")) {
      return [0, maxMore];
    }
    if (this.#takes("+")) {
      return [1, 1 + maxMore];
    }
    if (this.#takes("?")) {
      return [0, 1];
    }
    const rest = this.#characters.slice(this.#at).join("");
    const counted = /^\{(\d+)(,?)(\d*)\}/.exec(rest);
    if (counted === null) {
      return undefined;
    }
    const [text, least = "", comma, most = ""] = counted;
    this.#at += text.length;
    const from = Number(least);
    return [from, comma === "" ? from : most === "" ? from + maxMore : Number(most)];
  }

  #atom(): Part {
    const character = this.#take();
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return oneOf(this.#characterClass());
      case ".":
        return oneOf(printable);
      case "^":
      case "$":
        return () => "";
      case "\\":
        return this.#escape();
      default:
        return () => character;
    }
  }

  #group(): Part {
    if (this.#takes("?")) {
      const rest = this.#characters.slice(this.#at).join("");
      const [start, flags] = /^(?:([is]*)(?::|(?=\)))|P?<\w+>)/.exec(rest) ?? [];
      if (start === undefined) {
        throw new UnreadablePattern();
      }
      this.#at += start.length;
      if (flags !== undefined && this.#takes(")")) {
        return () => "";
      }
    }
    const part = this.#alternatives();
    if (!this.#takes(")")) {
      throw new UnreadablePattern();
    }
    return part;
  }

  #escape(): Part {
    const character = this.#peek();
    if (["A", "z", "b", "B"].includes(character)) {
      this.#at += 1;
      return () => "";
    }
    return oneOf(this.#escapedCharacters());
  }

  /** Returns the characters of an escape; the backslash was read. */
  #escapedCharacters(): string {
    const character = this.#take();
    const known = classes[character] ?? controls[character];
    if (known !== undefined) {
      return known;
    }
    if (character === "x") {
      const rest = this.#characters.slice(this.#at).join("");
      const [text, braced, two] = /^(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))/.exec(rest) ?? [];
      if (text !== undefined) {
        this.#at += text.length;
        return String.fromCodePoint(Number.parseInt(braced ?? two ?? "0", 16));
      }
    }
    if (/[A-Za-z0-9]/.test(character)) {
      throw new UnreadablePattern();
    }
    return character;
  }

  /** Returns the characters of a class; its bracket was read. */
  #characterClass(): string {
    const isNegated = this.#takes("^");
    let members = "";
    for (let isFirst = true; isFirst || this.#peek() !== "]"; isFirst = false) {
      if (this.#peek() === "[" && this.#characters[this.#at + 1] === ":") {
        throw new UnreadablePattern();
      }
      members += this.#classMember();
    }
    this.#at += 1;
    return isNegated ? without(printable, members) : members;
  }

  #classMember(): string {
    const first = this.#takes("\\") ? this.#escapedCharacters() : this.#take();
    const isRange = this.#peek() === "-" && this.#characters[this.#at + 1] !== "]";
    if (!isRange || [...first].length > 1) {
      return first;
    }
    this.#at += 1;
    const last = this.#takes("\\") ? this.#escapedCharacters() : this.#take();
    const [from, to] = [first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0];
    // A long range, such as all of Unicode, is as good by its beginning.
    const length = Math.min(to - from + 1, 256);
    return Array.from({ length }, (_, at) => String.fromCodePoint(from + at)).join("");
  }

  #peek(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) {
      throw new UnreadablePattern();
    }
    return character;
  }

  #take(): string {
    const character = this.#peek();
    this.#at += 1;
    return character;
  }

  #takes(character: string): boolean {
    const isNext = this.#characters[this.#at] === character;
    this.#at += isNext ? 1 : 0;
    return isNext;
  }
}

function oneOf(characters: string): Part {
  const [first, ...rest] = characters;
  if (first === undefined) {
    throw new UnreadablePattern();
  }
  return (random) => random.pick([first, ...rest]);
}

function without(characters: string, excluded: string): string {
  return [...characters].filter((one) => !excluded.includes(one)).join("");
}
