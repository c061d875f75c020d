/** A source of values that are the same for the same seed. */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns an integer between two bounds, both included. */
  integer(from: number, to: number): number;
  /** Returns one of several values. */
  pick<T>(values: readonly [T, ...T[]]): T;
  /** Returns true with a probability. */
  chance(probability: number): boolean;
}

/** Creates a source of values from a seed. (mulberry32) */
export function seeded(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    integer,
    pick: (values) => values[integer(0, values.length - 1)] ?? values[0],
    chance: (probability) => next() < probability,
  };
}
