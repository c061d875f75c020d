/** Names of the units; a text that begins with the last name of a unit means it, too: `minutes`. */
const unitNames: readonly (readonly [unit: string, ...names: string[]])[] = [
  ["ns", "ns", "nano"],
  ["us", "us", "\u00b5s", "micro"],
  ["ms", "ms", "milli"],
  ["s", "s", "sec"],
  ["m", "m", "min"],
  ["h", "h", "hr", "hour"],
  ["d", "d", "day"],
  ["w", "w", "wk", "week"],
];

/** A number and a unit, anywhere in a text. */
const part = /(\d+)[\t\n\f\r ]*([A-Za-z\u00b5]+)/g;

/** A part of a duration in words: `2 days`. */
export interface DurationPart {
  readonly count: bigint;
  /** `ns`, `us`, `ms`, `s`, `m`, `h`, `d` or `w`; none for an unknown word. */
  readonly units: readonly string[];
}

/** Reads the parts of a duration in words, such as `2 days`. (kube-openapi `strfmt.ParseDuration`) */
export function durationParts(text: string): DurationPart[] {
  return [...text.matchAll(part)].map(([, count = "0", word = ""]) => ({
    count: BigInt(count),
    units: unitsOf(word.toLowerCase()),
  }));
}

function unitsOf(word: string): readonly string[] {
  return unitNames
    .filter(([, ...names]) => names.includes(word) || word.startsWith(names.at(-1) ?? word))
    .map(([unit]) => unit);
}
