/** A set of code points: sorted inclusive ranges that neither overlap nor touch. */
export type RuneSet = readonly (readonly [low: number, high: number])[];

/** The largest code point. */
export const maxRune = 0x10_ffff;

/** Sorts and merges ranges into a set. */
export function runeSet(ranges: RuneSet): RuneSet {
  const joined: [low: number, high: number][] = [];
  for (const [low, high] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last !== undefined && low <= last[1] + 1) {
      last[1] = Math.max(last[1], high);
    } else {
      joined.push([low, high]);
    }
  }
  return joined;
}

/** Returns every code point that a set lacks. Surrogates count as code points, as in JavaScript's `u` mode. */
export function complement(set: RuneSet): RuneSet {
  const rest: [low: number, high: number][] = [];
  let next = 0;
  for (const [low, high] of set) {
    if (low > next) {
      rest.push([next, low - 1]);
    }
    next = high + 1;
  }
  if (next <= maxRune) {
    rest.push([next, maxRune]);
  }
  return rest;
}

/** Returns true when a code point is in the set. */
export function hasRune(set: RuneSet, rune: number): boolean {
  return set.some(([low, high]) => low <= rune && rune <= high);
}
