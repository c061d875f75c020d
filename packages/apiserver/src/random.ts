import type { Random } from "@typekube/core";

/** A repeatable source of numbers (mulberry32): the same seed gives the same names and UIDs. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

// apimachinery util/rand: no vowels, no digits that look like letters.
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** What a server appends to `generateName`. */
export function nameSuffix(random: Random): string {
  return Array.from({ length: 5 }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
}

/** A UUID of version 4. */
export function randomUid(random: Random): string {
  const hex = Array.from({ length: 32 }, (_, at) => {
    const digit = Math.floor(random() * 16);
    return (at === 12 ? 4 : at === 16 ? (digit & 3) | 8 : digit).toString(16);
  }).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
