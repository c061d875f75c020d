import type { Random } from "@typekube/core/internal";

/** Creates a repeatable random number generator (mulberry32): the same seed yields the same names and UIDs. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

// Alphabet of apimachinery util/rand: no vowels, no digits that resemble letters.
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** Returns the suffix that a server appends to `generateName`. */
export function nameSuffix(random: Random): string {
  return Array.from({ length: 5 }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Returns a UUID version 4. */
export function randomUid(random: Random): string {
  const word = () => Math.floor(random() * 4_294_967_296);
  const [a, b, c, d] = [word(), word(), word(), word()];
  const version = 0x4000 | (b & 0x0fff);
  const variant = 0x8000 | ((c >>> 16) & 0x3fff);
  return `${hex(a >>> 16)}${hex(a)}-${hex(b >>> 16)}-${hex(version)}-${hex(variant)}-${hex(c)}${hex(d >>> 16)}${hex(d)}`;
}

/** Formats the lower 16 bits. */
function hex(value: number): string {
  return `${bytes[(value >>> 8) & 0xff]}${bytes[value & 0xff]}`;
}
