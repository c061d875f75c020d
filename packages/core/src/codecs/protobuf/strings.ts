import type { Buffer } from "node:buffer";

/** Longer strings are rarely the same twice. */
const maxInternedBytes = 64;
/** Slots of the table; with strings of at most 64 bytes it stays below 1 MiB for ever. */
const slots = 1 << 14;

const table: (string | undefined)[] = new Array<string | undefined>(slots).fill(undefined);

interface FastBuffer extends Buffer {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

/**
 * Reads a UTF-8 string. Short ones are looked up in a table of fixed size first: Kubernetes objects say the
 * same words over and over, a hit allocates nothing and the copies share their memory. A newcomer takes the slot of
 * whoever is there, so nothing is kept for long.
 */
export function readString(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length === 0) {
    return "";
  }
  if (length > maxInternedBytes) {
    return (bytes as FastBuffer).utf8Slice(start, end);
  }
  let hash = length;
  let all = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    hash = Math.imul(hash ^ byte, 0x01000193);
    all |= byte;
  }
  if (all >= 0x80) {
    return (bytes as FastBuffer).utf8Slice(start, end);
  }
  const slot = (hash ^ (hash >>> 15)) & (slots - 1);
  const known = table[slot];
  if (known !== undefined && known.length === length && equals(known, bytes, start)) {
    return known;
  }
  const fresh = (bytes as FastBuffer).latin1Slice(start, end);
  table[slot] = fresh;
  return fresh;
}

function equals(text: string, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) !== bytes[start + i]) {
      return false;
    }
  }
  return true;
}
