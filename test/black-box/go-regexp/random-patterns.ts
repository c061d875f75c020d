/** A generator of random numbers in [0, 1). */
export type Random = () => number;

/** Returns a reproducible generator of random numbers (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

const atoms = [
  ..."abAB01-_. é😀|()[]{}*+?^$\\",
  ".",
  "^",
  "$",
  "|",
  "\\d",
  "\\D",
  "\\w",
  "\\W",
  "\\s",
  "\\S",
  "\\b",
  "\\B",
  "\\A",
  "\\z",
  "\\Z",
  "\\n",
  "\\t",
  "\\v",
  "\\a",
  "\\.",
  "\\-",
  "\\/",
  "\\_",
  "\\ ",
  "\\é",
  "\\x41",
  "\\x{1F600}",
  "\\x{110000}",
  "\\u0041",
  "\\1",
  "\\07",
  "\\C",
  "\\Qa*\\E",
  "\\Q",
  "\\pL",
  "\\PC",
  "\\p{Greek}",
  "\\p{^Lu}",
  "\\p{Foo}",
  "[[:alpha:]]",
  "[[:^digit:]]",
  "[[:foo:]]",
  "[^a]",
  "[a-c]",
  "[-a]",
  "[a-]",
  "[]a]",
  "[^]a]",
  "[a\\-z]",
  "[\\d-z]",
  "[a-\\d]",
  "[\\]]",
  "[c-a]",
  "[^\\n]",
  "[😀-😃]",
  "[^\\s]",
  "[_\\W]",
  "(?i)",
  "(?s)",
  "(?m)",
  "(?U)",
  "(?-i)",
  "(?i:a)",
  "(?s-i:.)",
  "(?=a)",
  "(?!a)",
  "(?<=a)",
  "(?P<n>a)",
  "(?<m>a)",
  "(?P=n)",
  "(?#x)",
  "(?>a)",
  "(?z)",
];
const repetitions =
  "* + ? *? +? ?? ** ++ {2} {0} {0,3} {2,} {1,2}? {,2} {3,1} {1001} {01} {2 {".split(" ");

/** Returns a random pattern; about a third of them are invalid. */
export function randomPattern(random: Random, depth = 0): string {
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? "";
  let pattern = depth === 0 && random() < 0.4 ? "^" : "";
  const length = 1 + Math.floor(random() * 4);
  for (let at = 0; at < length; at++) {
    const kind = random();
    if (kind < 0.3 && depth < 3) {
      const open = pick(["(", "(?:"]);
      const more = random() < 0.5 ? `|${randomPattern(random, depth + 1)}` : "";
      pattern += `${open}${randomPattern(random, depth + 1)}${more})`;
    } else if (kind < 0.7) {
      pattern += pick([..."abAB01-_."].concat("[a-c]", "[^a]", "[-a-z0-9]", "\\d", "\\w", "\\."));
    } else {
      pattern += pick(atoms);
    }
    if (random() < 0.4) {
      pattern += random() < 0.7 ? pick(["*", "+", "?", "{1,3}"]) : pick(repetitions);
    }
  }
  return depth === 0 && random() < 0.4 ? `${pattern}$` : pattern;
}

const others = [
  "",
  "\n",
  " ",
  "!",
  "é",
  "😀",
  "\u{1F601}",
  "A",
  "K",
  "\u212a",
  "ſ",
  "α",
  "\u000b",
  "_",
  "-",
  ".",
  "\u0000",
  "5",
];

/** Returns a text that consists mostly of a pattern's own characters, in runs. */
export function randomText(random: Random, pattern: string): string {
  const own = [...pattern.replace(/[\\^$|()[\]{}*+?:]/g, ""), "a", "b", "0"];
  let text = "";
  const runs = Math.floor(random() * 6);
  for (let run = 0; run < runs; run++) {
    const from = random() < 0.7 ? own : others;
    const rune = from[Math.floor(random() * from.length)] ?? "";
    text += rune.repeat(random() < 0.6 ? 1 : Math.floor(random() * 5));
  }
  return text;
}
