import { Buffer, isUtf8 } from "node:buffer";
import { textBetween } from "../../bytes/bytes.js";
import { decodeError } from "../decode-error.js";

/** Longer strings rarely repeat. */
const maxInternedBytes = 64;
const maxWords = maxInternedBytes / 4;

// Two tables of fixed size, about 1.5 MiB, which are never freed. Keys have a table of their own, so that values, many
// of which are new in each object, don't evict them. Strings are compared four bytes at a time (measured: twice as fast
// as byte by byte), so a slot holds 32-bit words: the bytes from 0, 4, 8 ... and the last four.
const textSlots = 1 << 14;
const texts: string[] = new Array<string>(textSlots).fill("");
const textWords = new Int32Array(textSlots * maxWords);
const textLengths = new Uint8Array(textSlots);
const keySlots = 1 << 12;
const keys: string[] = new Array<string>(keySlots).fill("");
const keyWords = new Int32Array(keySlots * maxWords);
const keyLengths = new Uint8Array(keySlots);

interface FastBuffer extends Buffer {
  latin1Slice(start: number, end: number): string;
}

/**
 * Hash of the key that was read last, equal for equal keys; 0 for a key that is long or not ASCII. A module variable,
 * because returning pairs would allocate for every key.
 */
export let outKeyHash = 0;

/**
 * Reads a string. Looks short strings up in a table of fixed size: Kubernetes objects repeat the same words, a hit
 * allocates nothing, and the copies share their memory. A new string replaces the one in its slot, so nothing is kept
 * for long.
 *
 * @param view - view of the same memory as `bytes`.
 */
export function readText(bytes: Buffer, view: DataView, start: number, end: number): string {
  const length = end - start;
  if (length === 0) {
    return "";
  }
  const hash = length > maxInternedBytes ? 0 : hashAscii(view, start, length);
  if (hash === 0) {
    return textBetween(bytes, start, end);
  }
  const slot = (hash ^ (hash >>> 15)) & (textSlots - 1);
  const first = slot * maxWords;
  if (textLengths[slot] === length && isEqual(textWords, first, view, start, length)) {
    return texts[slot] as string;
  }
  const fresh = (bytes as FastBuffer).latin1Slice(start, end);
  texts[slot] = fresh;
  textLengths[slot] = length;
  copyWords(view, start, length, textWords, first);
  return fresh;
}

/** Reads the key of a map and sets {@link outKeyHash}. */
export function readKey(bytes: Buffer, view: DataView, start: number, end: number): string {
  const length = end - start;
  const hash = length > maxInternedBytes ? 0 : hashAscii(view, start, length);
  if (hash === 0) {
    outKeyHash = 0;
    return textBetween(bytes, start, end);
  }
  // The hashes of a map's keys are added up, so each must be well mixed.
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  outKeyHash = mixed ^ (mixed >>> 12) || 1;
  // Two keys that collide may both be frequent, so slots come in pairs, the newer key in the first.
  const slot = (hash ^ (hash >>> 15)) & (keySlots - 2);
  const first = slot * maxWords;
  if (keyLengths[slot] === length && isEqual(keyWords, first, view, start, length)) {
    return keys[slot] as string;
  }
  const second = slot + 1;
  const secondFirst = first + maxWords;
  if (keyLengths[second] === length && isEqual(keyWords, secondFirst, view, start, length)) {
    return keys[second] as string;
  }
  keys[second] = keys[slot] as string;
  keyLengths[second] = keyLengths[slot] as number;
  keyWords.copyWithin(secondFirst, first, first + maxWords);
  const fresh = asPropertyName((bytes as FastBuffer).latin1Slice(start, end));
  keys[slot] = fresh;
  keyLengths[slot] = length;
  copyWords(view, start, length, keyWords, first);
  return fresh;
}

/** Turns a value that was read in place of a key into one: a string in chunks, or under a tag. */
export function asKey(value: unknown): string {
  if (typeof value !== "string") {
    throw decodeError("the key of a map is not a string");
  }
  const bytes = Buffer.from(value);
  return readKey(bytes, viewOf(bytes), 0, bytes.length);
}

/** Returns a view of a buffer's memory, for {@link readText} and {@link readKey}. */
export function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns V8's internalized copy of a key, which V8 compares and looks up by its pointer alone. */
function asPropertyName(text: string): string {
  for (const name in { [text]: undefined }) {
    return name;
  }
  return text;
}

/** Hashes 32-bit words with FNV-1a; 0 when a byte is not ASCII. */
function hashAscii(view: DataView, start: number, length: number): number {
  let hash = length;
  let all = 0;
  const last = length - 4;
  for (let i = 0; i < last; i += 4) {
    const word = view.getInt32(start + i, true);
    hash = Math.imul(hash ^ word, 0x01000193);
    // The product's upper bits depend on the whole word, its lower bits do not.
    hash ^= hash >>> 15;
    all |= word;
  }
  const word = lastWord(view, start, length);
  hash = Math.imul(hash ^ word, 0x01000193);
  hash ^= hash >>> 15;
  all |= word;
  return (all & 0x80808080) !== 0 ? 0 : hash || 1;
}

/** Returns the last four bytes, or all bytes of a shorter string. */
function lastWord(view: DataView, start: number, length: number): number {
  if (length >= 4) {
    return view.getInt32(start + length - 4, true);
  }
  let word = 0;
  for (let i = length - 1; i >= 0; i--) {
    word = (word << 8) | view.getUint8(start + i);
  }
  return word;
}

function isEqual(
  words: Int32Array,
  first: number,
  view: DataView,
  start: number,
  length: number,
): boolean {
  const last = length - 4;
  let at = first;
  for (let i = 0; i < last; i += 4) {
    if (words[at++] !== view.getInt32(start + i, true)) {
      return false;
    }
  }
  return words[at] === lastWord(view, start, length);
}

function copyWords(
  view: DataView,
  start: number,
  length: number,
  to: Int32Array,
  first: number,
): void {
  const last = length - 4;
  let at = first;
  for (let i = 0; i < last; i += 4) {
    to[at++] = view.getInt32(start + i, true);
  }
  to[at] = lastWord(view, start, length);
}

/**
 * Checks that a text string is valid UTF-8, as Kubernetes' own decoder does. Byte strings, which servers write, may
 * hold any bytes.
 *
 * @throws {KubeError} `Decode`.
 */
export function assertUtf8(bytes: Buffer, start: number, end: number, text: string): void {
  if (text.includes("\ufffd") && !isUtf8(bytes.subarray(start, end))) {
    throw decodeError("a text string is not UTF-8");
  }
}
