import type { Buffer } from "node:buffer";
import { textBetween } from "../../bytes.js";

/** Longer strings are rarely the same twice. */
const maxInternedBytes = 128;
/** Bytes of a string that choose its slot. */
const hashedBytes = 32;
/** Slots of the table; with strings of at most 128 bytes it stays below 5 MiB for ever. */
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
  // The end of a long string tells more than its beginning: a digest, a name behind a registry.
  for (let at = length > hashedBytes ? end - hashedBytes : start; at < end; at++) {
    hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  }
  const slot = (hash ^ (hash >>> 15)) & (slots - 1);
  const key = slot * maxInternedBytes;
  if (lengths[slot] === length && isKey(key, bytes, start, length)) {
    return texts[slot] as string;
  }
  const fresh = textBetween(bytes, start, end);
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
