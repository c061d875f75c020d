import type { Buffer } from "node:buffer";
import { type TextBuffer, textBetween } from "../../bytes.js";

/** Longer strings are rarely the same twice. */
const maxInternedBytes = 64;
/** Slots of the table; with strings of at most 64 bytes it stays below 2 MiB for ever. */
const slots = 1 << 14;

const texts: string[] = new Array<string>(slots).fill("");
/** The bytes of each text, for comparing: reading them is cheaper than reading a string's characters. */
const keys = new Uint8Array(slots * maxInternedBytes);
const lengths = new Uint8Array(slots);

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
    return textBetween(bytes, start, end);
  }
  let hash = length;
  let all = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    hash = Math.imul(hash ^ byte, 0x01000193);
    all |= byte;
  }
  if (all >= 0x80) {
    return textBetween(bytes, start, end);
  }
  const slot = (hash ^ (hash >>> 15)) & (slots - 1);
  const key = slot * maxInternedBytes;
  if (lengths[slot] === length && isKey(key, bytes, start, length)) {
    return texts[slot] as string;
  }
  const fresh = (bytes as TextBuffer).latin1Slice(start, end);
  texts[slot] = fresh;
  lengths[slot] = length;
  for (let i = 0; i < length; i++) {
    keys[key + i] = bytes[start + i] as number;
  }
  return fresh;
}

function isKey(key: number, bytes: Buffer, start: number, length: number): boolean {
  for (let i = 0; i < length; i++) {
    if (keys[key + i] !== bytes[start + i]) {
      return false;
    }
  }
  return true;
}
