import type { Buffer } from "node:buffer";
import { textBetween } from "../bytes.js";

const quote = 0x22;
const backslash = 0x5c;

/** Longer strings are rarely the same twice. */
const maxInternedBytes = 128;
/** Slots of the table; with strings of at most 128 bytes it stays below 8 MiB for ever. */
const slotBits = 14;
const slots = 1 << slotBits;
/** The bytes of an entry have room for a power of two, this at least. */
const smallestRoom = 16;

/** The entry in each slot; 0 where nothing is yet. */
const entries = new Uint16Array(slots);
/**
 * The hash of the string that last looked for each slot in vain: one that comes again is common enough to take it. Its
 * complement if it came again while it was one of the `recents`: an object that says its own name twice says nothing of others.
 */
const candidates = new Int32Array(slots);

/** How many strings that were not in the table are remembered for a while. */
const recentPlaces = 64;
/** They are: objects say their address and the names of their volumes more than once. */
const recents: string[] = new Array<string>(recentPlaces).fill("");
const recentHashes = new Int32Array(recentPlaces);

// What an entry says. Entries are counted as they come, so that the few hundred that most strings are stand side by side in
// memory: were each at the place of its slot, every one would be a page of memory of its own. Entry 0 is nobody's.
let lastEntry = 0;
const texts: string[] = new Array<string>(slots + 1).fill("");
const lengths = new Uint8Array(slots + 1);
const rooms = new Uint8Array(slots + 1);
const starts = new Int32Array(slots + 1);
/** Whether a text stands in JSON as it is: no quote, no backslash, no control character. */
const asItIs = new Uint8Array(slots + 1);
/**
 * The bytes of each text, for comparing: reading them is cheaper than reading a string's characters. Four at a time:
 * strings are a third of the decoding. An entry moves into a larger room when it must, and never back, so that it has had
 * each room once at most.
 */
const keys = new DataView(new ArrayBuffer(slots * (2 * maxInternedBytes - smallestRoom)));
let keysEnd = 0;

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

/** The entry of the string that was read last. */
export let entryOfString = 0;

/**
 * Reads a UTF-8 string. Short ones are looked up in a table of fixed size first: Kubernetes objects say the
 * same words over and over, a hit allocates nothing and the copies share their memory. A string takes the slot of whoever
 * is there when it comes for the second time: names and uids, which come once, are neither copied nor kept.
 *
 * @param likelyEntry - what the string is if it is the same as last time; a wrong guess costs little.
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
    entryOfString = likelyEntry;
    return texts[likelyEntry] as string;
  }
  const hash = hashOf(start, length);
  const slot = hash & (slots - 1);
  const entry = entries[slot] as number;
  entryOfString = entry;
  if (lengths[entry] === length && isKey(entry, start, length)) {
    return texts[entry] as string;
  }
  return readUncommon(bytes, start, end, hash);
}

/** A string that is not in the table: one of the `recents`, or a new one. */
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

/** Whether the bytes are a text of ASCII; what is beyond has bytes that are not its characters. */
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
  entryOfString = entry;
}

/**
 * How many bytes the text of an entry has, if it is what stands at `start` up to a quote, so that a JSON string need not be
 * searched for its end; 0 if not.
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

/** The text of an entry. */
export function textOf(entry: number): string {
  return texts[entry] as string;
}

/** By the beginning and the end, which tell more than the middle: a prefix and a number, a registry and a digest. */
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
  // The last four once more, with what is left of them.
  return keys.getInt32(key + last, true) === words.getInt32(start + last, true);
}
