import { type TextBuffer, textBetween } from "../../bytes/bytes.js";
import {
  likelyLength,
  outEntry,
  readString as readCommonString,
  releaseStrings,
  textOf,
  wordsOf,
} from "../common-strings.js";
import { integerOf } from "../whole-numbers.js";
import { withoutLoneSurrogates } from "./lone-surrogates.js";
import { backslash, closeBrace, closeBracket, comma, quote } from "./tokens.js";

// State of the reading in progress: docs/wire.md, "Second results". Each closure would be compiled separately.
const nothing = Buffer.alloc(0) as TextBuffer;
/** Text being read. */
export let bytes: TextBuffer = nothing;
/** View of the text, for reading four bytes at a time. */
export let words: DataView = wordsOf(nothing);
/** Position of the next byte. */
export let position = 0;
/** End of the text. */
export let end = 0;
/** Number of keys, strings and numbers that took longer to read than with `JSON.parse`. */
export let surprises = 0;

const minus = 0x2d;
const zero = 0x30;

/** Thrown for text that this reader does not expect. It has no stack, because it may be thrown often. */
export const notExpected: Readonly<{ reason: string }> = {
  reason: "not compact JSON as servers write it",
};

/** Starts reading at `start`, up to `stop`. */
export function beginText(buffer: Buffer, start: number, stop: number): void {
  bytes = buffer as TextBuffer;
  words = wordsOf(buffer);
  position = start;
  end = stop;
  surprises = 0;
}

/** Releases the body after decoding, so that the reader does not keep it alive. */
export function releaseText(): void {
  bytes = nothing;
  words = wordsOf(nothing);
  releaseStrings();
}

/** Returns the next byte and moves past it. */
export function takeByte(): number | undefined {
  return bytes[position++];
}

/** Continues at another position. */
export function moveTo(at: number): void {
  position = at;
}

/** Counts one more of the {@link surprises}. */
export function countSurprise(): void {
  surprises++;
}

/** Reads a word, given its last four letters. */
export function readWord<T>(before: number, letters: number, value: T): T {
  const last = position + before;
  if (last + 4 > end || words.getInt32(last, true) !== letters) {
    throw notExpected;
  }
  position = last + 4;
  return value;
}

// A second result: docs/wire.md, "Second results".
/** Entry of the string that was read last. */
export let outStringEntry = 0;

/**
 * Reads a string after its opening quote.
 *
 * @param likely - expected entry in the table of common strings.
 */
export function readString(likely: number): string {
  const start = position;
  const known = likelyLength(bytes, start, end, likely);
  if (known > 0) {
    position = start + known + 1;
    outStringEntry = likely;
    return textOf(likely);
  }
  const close = endOfPlainText(start);
  if (bytes[close] !== quote) {
    outStringEntry = 0;
    return readUnusualString(start, close);
  }
  position = close + 1;
  const text = readCommonString(bytes, start, close);
  outStringEntry = outEntry;
  return text;
}

/**
 * Returns the position of the first byte that is not plain ASCII text, usually the closing quote. Reads four bytes at a
 * time.
 */
function endOfPlainText(start: number): number {
  let at = start;
  for (; at <= end - 4; at += 4) {
    const word = words.getInt32(at, true);
    const quotes = word ^ 0x22222222;
    const backslashes = word ^ 0x5c5c5c5c;
    // The lowest bit set belongs to the first such byte.
    const found =
      (((quotes - 0x01010101) & ~quotes) |
        ((backslashes - 0x01010101) & ~backslashes) |
        ((word - 0x20202020) & ~word) |
        word) &
      0x80808080;
    if (found !== 0) {
      return at + ((31 - Math.clz32(found & -found)) >> 3);
    }
  }
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === quote || byte === backslash || byte < 0x20 || byte >= 0x80) {
      return at;
    }
  }
  throw notExpected;
}

/** Reads a string with escapes or characters beyond ASCII. */
function readUnusualString(start: number, from: number): string {
  surprises++;
  let hasEscapes = false;
  let at = from;
  for (; bytes[at] !== quote; at++) {
    const byte = bytes[at] as number;
    if (at >= end || byte < 0x20) {
      throw notExpected;
    }
    if (byte === backslash) {
      hasEscapes = true;
      at++;
    }
  }
  position = at + 1;
  return hasEscapes
    ? (JSON.parse(withoutLoneSurrogates(textBetween(bytes, start - 1, position))) as string)
    : textBetween(bytes, start, at);
}

/** Numbers with at most this many digits are always exact. */
const safeDigits = 15;
/** Longer numbers are left to the general JSON parser, which knows the limit. */
const maxNumberLength = 400;
const integer = /^-?(?:0|[1-9]\d*)$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads the number at the current position. */
export function readNumber(): bigint | number {
  const start = position;
  const isNegative = bytes[start] === minus;
  const first = isNegative ? start + 1 : start;
  let at = first;
  let value = 0;
  let digit = (bytes[at] as number) - zero;
  while (digit >= 0 && digit <= 9) {
    value = value * 10 + digit;
    digit = (bytes[++at] as number) - zero;
  }
  const next = bytes[at];
  const isPlain = next === comma || next === closeBrace || next === closeBracket;
  const hasLeadingZero = bytes[first] === zero && at > first + 1;
  if (!isPlain || at === first || at - first > safeDigits || hasLeadingZero) {
    return readUnusualNumber(start);
  }
  position = at;
  return isNegative ? -value : value;
}

/** Reads a number with a fraction or an exponent, or one that may be too large to be exact. */
function readUnusualNumber(start: number): bigint | number {
  surprises++;
  let at = start;
  while (at < end && mayStandInNumber(bytes[at] as number)) {
    at++;
  }
  if (at - start > maxNumberLength) {
    throw notExpected;
  }
  const text = bytes.latin1Slice(start, at);
  if (!number.test(text)) {
    throw notExpected;
  }
  position = at;
  return integer.test(text) ? integerOf(text) : Number(text);
}

function mayStandInNumber(byte: number): boolean {
  const isDigit = byte >= zero && byte <= zero + 9;
  return isDigit || byte === minus || byte === 0x2b || byte === 0x2e || (byte | 0x20) === 0x65;
}
