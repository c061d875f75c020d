import { mutate } from "@typekube/test-support/seeded-random";

/** Fragments that have caused trouble in readers. */
const pieces = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "<<",
  "null",
  "true",
  "{}",
  "[]",
  '""',
  "\0",
  "\ufeff",
  "\u2028",
  "\u0085",
  "\ud83d\ude00",
  "9223372036854775808",
  "-0",
  "1e400",
  "9".repeat(400),
  "[".repeat(600),
  '{"a":'.repeat(600),
  "%00",
  "\r\n",
  "\t",
  "---\n",
  "../",
  "\\u0000",
  "\\ud800",
  "*",
  "&a",
  "!!binary ",
];

/** One input in 16 is random, entirely or after a valid beginning. */
const madeUpShare = 16;
/** One input in 3 gets a fragment inserted, in addition to changed bytes. */
const pieceShare = 3;
/** Maximum length of random bytes. */
const madeUpBytes = 200;

/** Mutates valid bytes, as an attacker or a faulty disk would. */
export function hostileInput(seed: Uint8Array, random: () => number): Uint8Array {
  if (random() < 1 / madeUpShare) {
    const length = Math.floor(random() * madeUpBytes);
    const bytes = Buffer.from(Array.from({ length }, () => random() * 256));
    const kept = random() < 0.5 ? Math.floor(random() * seed.length) : 0;
    return Buffer.concat([seed.subarray(0, kept), bytes]);
  }
  const bytes = random() < 1 / pieceShare ? withPiece(seed, random) : seed;
  return random() < 0.8 ? mutate(bytes, random) : bytes;
}

function withPiece(seed: Uint8Array, random: () => number): Uint8Array {
  const at = Math.floor(random() * (seed.length + 1));
  const to = Math.min(seed.length, at + Math.floor(random() * 10));
  const piece = pieces[Math.floor(random() * pieces.length)] ?? "";
  return Buffer.concat([seed.subarray(0, at), Buffer.from(piece), seed.subarray(to)]);
}
