import type { Buffer } from "node:buffer";
import { textBetween } from "../bytes/bytes.js";

const quote = 0x22;
const backslash = 0x5c;

/** Longer strings rarely repeat. */
const maxInternedBytes = 128;
/** Binary logarithm of the table's slots. With strings of at most 128 bytes the table stays below 8 MiB. */
const slotBits = 14;
const slots = 1 << slotBits;
/** Smallest space for the bytes of an entry. Spaces are powers of two. */
const smallestRoom = 16;

/** Entry in each slot; 0 for an empty slot. */
const entries = new Uint16Array(slots);
/**
 * Hash of the last string that was not found in each slot. A string that comes a second time is common enough to take
 * the slot. If it comes again while it is in `recents`, its complement is stored and it takes the slot the third time:
 * an object that repeats its own name says nothing about other objects.
 */
const candidates = new Int32Array(slots);

/** Number of recent strings that are remembered although they are not in the table. */
const recentPlaces = 64;
/** Recent strings that are not in the table. Objects repeat their address and the names of their volumes. */
const recents: string[] = new Array<string>(recentPlaces).fill("");
const recentHashes = new Int32Array(recentPlaces);

// Contents of the entries. Entries are numbered in order of arrival, so that the few hundred which make up most strings
// are adjacent in memory. At the places of their slots, each would touch a memory page of its own. Entry 0 stands for
// an empty slot.
let lastEntry = 0;
const texts: string[] = new Array<string>(slots + 1).fill("");
const lengths = new Uint8Array(slots + 1);
const rooms = new Uint8Array(slots + 1);
const starts = new Int32Array(slots + 1);
/** 1 when JSON contains the text unescaped: no quote, no backslash, no control character. */
const asItIs = new Uint8Array(slots + 1);
/**
 * Bytes of each text, for comparison: reading bytes is cheaper than reading a string's characters. They are compared
 * four at a time, because strings are a third of the decoding. An entry moves to a larger space when needed and never
 * back, so it takes up each size at most once.
 */
const keys = new DataView(new ArrayBuffer(slots * (2 * maxInternedBytes - smallestRoom)));
let keysEnd = 0;

const nothing: DataView = new DataView(new ArrayBuffer(0));
let source: Buffer | undefined;
/** View of `source`, for reading four bytes at a time. */
let words: DataView = nothing;

/** Releases the body after decoding, so that the table does not keep it alive. */
export function releaseStrings(): void {
  source = undefined;
  words = nothing;
}

/** Returns a view of a body, for reading four bytes at a time. */
export function wordsOf(bytes: Buffer): DataView {
  if (bytes !== source) {
    source = bytes;
    words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  return words;
}

// A second result: docs/wire.md, "Second results".
/** Entry of the string that was read last. */
export let outEntry = 0;

/**
 * Reads a UTF-8 string. Looks short strings up in a table of fixed size: Kubernetes objects repeat the same words, a
 * hit allocates nothing, and the copies share their memory. A string replaces the one in its slot when it comes for the
 * second time: names and uids, which come once, are neither copied nor kept.
 *
 * @param likelyEntry - entry of the string if it equals the previous one; a wrong guess costs little.
 */
export function readString(bytes: Buffer, start: number, end: number, likelyEntry = 0): string {
  const length = end - start;
  if (length === 0) {
    return "";
  }
  if (length > maxInternedBytes) {
    return textBetween(bytes, start, end);
  }
  wordsOf(bytes);
  if (lengths[likelyEntry] === length && isKey(likelyEntry, start, length)) {
    outEntry = likelyEntry;
    return texts[likelyEntry] as string;
  }
  const hash = hashOf(start, length);
  const slot = hash & (slots - 1);
  const entry = entries[slot] as number;
  outEntry = entry;
  if (lengths[entry] === length && isKey(entry, start, length)) {
    return texts[entry] as string;
  }
  return readUncommon(bytes, start, end, hash);
}

/** Reads a string that is not in the table: one of the `recents`, or a new one. */
function readUncommon(bytes: Buffer, start: number, end: number, hash: number): string {
  const slot = hash & (slots - 1);
  const place = (hash >>> slotBits) & (recentPlaces - 1);
  const recent = recents[place] as string;
  const isRecent = recentHashes[place] === hash && isAsciiOf(recent, start, end);
  const text = isRecent ? recent : textBetween(bytes, start, end);
  if (!isRecent) {
    recents[place] = text;
    recentHashes[place] = hash;
  }
  const before = candidates[slot];
  if (before === ~hash || (before === hash && !isRecent)) {
    keepString(slot, text, start, end - start);
  } else {
    candidates[slot] = isRecent ? ~hash : hash;
  }
  return text;
}

/** Returns whether the bytes equal an ASCII text. Beyond ASCII, bytes and characters do not correspond. */
function isAsciiOf(text: string, start: number, end: number): boolean {
  if (text.length !== end - start) {
    return false;
  }
  for (let at = 0; at < text.length; at++) {
    const byte = words.getUint8(start + at);
    if (byte >= 0x80 || byte !== text.charCodeAt(at)) {
      return false;
    }
  }
  return true;
}

function keepString(slot: number, text: string, start: number, length: number): void {
  if (entries[slot] === 0) {
    entries[slot] = ++lastEntry;
  }
  const entry = entries[slot] as number;
  if ((rooms[entry] as number) < length) {
    const room = Math.max(smallestRoom, 1 << (32 - Math.clz32(length - 1)));
    rooms[entry] = room;
    starts[entry] = keysEnd;
    keysEnd += room;
  }
  texts[entry] = text;
  lengths[entry] = length;
  const key = starts[entry] as number;
  let isAsItIs = true;
  for (let at = 0; at < length; at++) {
    const byte = words.getUint8(start + at);
    keys.setUint8(key + at, byte);
    isAsItIs &&= byte >= 0x20 && byte !== quote && byte !== backslash;
  }
  asItIs[entry] = isAsItIs ? 1 : 0;
  outEntry = entry;
}

/**
 * Returns the number of bytes of an entry's text if the bytes at `start` are that text and a quote; otherwise 0. Saves
 * searching for the end of a JSON string.
 */
export function likelyLength(bytes: Buffer, start: number, end: number, entry: number): number {
  const length = lengths[entry] as number;
  return length > 0 &&
    start + length < end &&
    bytes[start + length] === quote &&
    asItIs[entry] === 1 &&
    isKey(entry, start, length)
    ? length
    : 0;
}

/** Returns the text of an entry. */
export function textOf(entry: number): string {
  return texts[entry] as string;
}

/**
 * Hashes the beginning and the end, which distinguish strings better than the middle: a prefix and a number, a registry
 * and a digest.
 */
function hashOf(start: number, length: number): number {
  let hash = length;
  if (length >= 4) {
    const end = start + length;
    hash = Math.imul(hash ^ words.getInt32(start, true), 0x01000193);
    hash = Math.imul(hash ^ words.getInt32(end - 4, true), 0x01000193);
    if (length > 8) {
      hash = Math.imul(hash ^ (hash >>> 15) ^ words.getInt32(end - 8, true), 0x01000193);
      if (length > 12) {
        hash = Math.imul(hash ^ (hash >>> 15) ^ words.getInt32(end - 12, true), 0x01000193);
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

function isKey(entry: number, start: number, length: number): boolean {
  const key = starts[entry] as number;
  if (length < 4) {
    for (let at = 0; at < length; at++) {
      if (keys.getInt8(key + at) !== words.getInt8(start + at)) {
        return false;
      }
    }
    return true;
  }
  const last = length - 4;
  for (let at = 0; at < last; at += 4) {
    if (keys.getInt32(key + at, true) !== words.getInt32(start + at, true)) {
      return false;
    }
  }
  // The last four bytes, which may overlap those compared before.
  return keys.getInt32(key + last, true) === words.getInt32(start + last, true);
}
