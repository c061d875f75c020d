import type { Buffer } from "node:buffer";
import { textBetween } from "../../bytes.js";

/** Longer strings are rarely the same twice. */
const maxInternedBytes = 128;
/** Slots of the table; with strings of at most 128 bytes it stays below 5 MiB for ever. */
const slots = 1 << 14;

const texts: string[] = new Array<string>(slots).fill("");
const lengths = new Uint8Array(slots);
/** The hash of the string that last looked for each slot in vain: one that comes again is common enough to take it. */
const candidates = new Int32Array(slots);
/**
 * The bytes of each text, for comparing: reading them is cheaper than reading a string's characters. Four at a time:
 * strings are a third of the decoding.
 */
const keys = new DataView(new ArrayBuffer(slots * maxInternedBytes));

const nothing: DataView = new DataView(new ArrayBuffer(0));
let source: Buffer | undefined;
/** The bytes of `source`, four at a time. */
let words: DataView = nothing;

/** To be called when a decoding is over: a table must not keep a body alive. */
export function releaseStrings(): void {
  source = undefined;
  words = nothing;
}

/** A body's bytes, to be read four at a time. */
export function wordsOf(bytes: Buffer): DataView {
  if (bytes !== source) {
    source = bytes;
    words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  return words;
}

/** Where the string stands in the table that was read last. */
export let slotOfString = 0;

/**
 * Reads a UTF-8 string. Short ones are looked up in a table of fixed size first: Kubernetes objects say the
 * same words over and over, a hit allocates nothing and the copies share their memory. A string takes the slot of whoever
 * is there when it comes for the second time: names and uids, which come once, are neither copied nor kept.
 *
 * @param likelySlot - where the string stands if it is the same as last time; a wrong guess costs little.
 */
export function readString(bytes: Buffer, start: number, end: number, likelySlot = 0): string {
  const length = end - start;
  if (length === 0) {
    return "";
  }
  if (length > maxInternedBytes) {
    return textBetween(bytes, start, end);
  }
  wordsOf(bytes);
  if (lengths[likelySlot] === length && isKey(likelySlot, start, length)) {
    slotOfString = likelySlot;
    return texts[likelySlot] as string;
  }
  const hash = hashOf(start, length);
  const slot = hash & (slots - 1);
  slotOfString = slot;
  if (lengths[slot] === length && isKey(slot, start, length)) {
    return texts[slot] as string;
  }
  const fresh = textBetween(bytes, start, end);
  if (candidates[slot] !== hash) {
    candidates[slot] = hash;
    return fresh;
  }
  texts[slot] = fresh;
  lengths[slot] = length;
  const key = slot * maxInternedBytes;
  for (let at = 0; at < length - 3; at += 4) {
    keys.setInt32(key + at, words.getInt32(start + at));
  }
  for (let at = length & ~3; at < length; at++) {
    keys.setInt8(key + at, words.getInt8(start + at));
  }
  return fresh;
}

/** By the beginning and the end, which tell more than the middle: a prefix and a number, a registry and a digest. */
function hashOf(start: number, length: number): number {
  let hash = length;
  if (length >= 4) {
    const end = start + length;
    hash = Math.imul(hash ^ words.getInt32(start), 0x01000193);
    hash = Math.imul(hash ^ words.getInt32(end - 4), 0x01000193);
    if (length > 8) {
      hash = Math.imul(hash ^ (hash >>> 15) ^ words.getInt32(end - 8), 0x01000193);
      if (length > 12) {
        hash = Math.imul(hash ^ (hash >>> 15) ^ words.getInt32(end - 12), 0x01000193);
      }
    }
  } else {
    for (let at = start; at < start + length; at++) {
      hash = Math.imul(hash ^ words.getInt8(at), 0x01000193);
    }
  }
  hash ^= hash >>> 15;
  return hash ^ (hash >>> 7);
}

function isKey(slot: number, start: number, length: number): boolean {
  const key = slot * maxInternedBytes;
  let at = 0;
  for (; at < length - 3; at += 4) {
    if (keys.getInt32(key + at) !== words.getInt32(start + at)) {
      return false;
    }
  }
  for (; at < length; at++) {
    if (keys.getInt8(key + at) !== words.getInt8(start + at)) {
      return false;
    }
  }
  return true;
}
