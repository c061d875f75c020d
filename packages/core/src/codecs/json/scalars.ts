import { type TextBuffer, textBetween } from "../../bytes.js";
import {
  entryOfString,
  likelyLength,
  readString as readCommonString,
  releaseStrings,
  textOf,
  wordsOf,
} from "../common-strings.js";
import { integerOf } from "../whole-numbers.js";
import { withoutLoneSurrogates } from "./lone-surrogates.js";
import { backslash, closeBrace, closeBracket, comma, quote } from "./tokens.js";

// One reader for the module: the text and where it stands are variables, since returning a value and a position would allocate for
// every value, and several closures of it would each be compiled.
const nothing = Buffer.alloc(0) as TextBuffer;
/** The text that is read. */
export let bytes: TextBuffer = nothing;
/** It, four bytes at a time. */
export let words: DataView = wordsOf(nothing);
/** The byte that is read next. */
export let position = 0;
/** Where the text is over. */
export let end = 0;
/** Keys, strings and numbers that had to be read in a way that costs more than `JSON.parse`. */
export let surprises = 0;

const minus = 0x2d;
const zero = 0x30;

/** Thrown where a text is not what is expected here. It has no stack: a text may be that often. */
export const notExpected: Readonly<{ reason: string }> = {
  reason: "not compact JSON as servers write it",
};

/** Reads from `start` on, to `stop` at most. */
export function beginText(buffer: Buffer, start: number, stop: number): void {
  bytes = buffer as TextBuffer;
  words = wordsOf(buffer);
  position = start;
  end = stop;
  surprises = 0;
}

/** To be called when a decoding is over: the reader must not keep a body alive. */
export function releaseText(): void {
  bytes = nothing;
  words = wordsOf(nothing);
  releaseStrings();
}

/** The byte that is read next, which is read. */
export function takeByte(): number | undefined {
  return bytes[position++];
}

/** Goes on at another place. */
export function moveTo(at: number): void {
  position = at;
}

/** Counts one of the {@link surprises}. */
export function countSurprise(): void {
  surprises++;
}

/** Reads the word whose last four letters these are. */
export function readWord<T>(before: number, letters: number, value: T): T {
  const last = position + before;
  if (last + 4 > end || words.getInt32(last, true) !== letters) {
    throw notExpected;
  }
  position = last + 4;
  return value;
}

/** The entry of the string that was read last. */
export let stringRead = 0;

/**
 * Reads what stands behind a quote.
 *
 * @param likely - the entry among the common strings that it may be.
 */
export function readString(likely: number): string {
  const start = position;
  const known = likelyLength(bytes, start, end, likely);
  if (known > 0) {
    position = start + known + 1;
    stringRead = likely;
    return textOf(likely);
  }
  const close = endOfPlainText(start);
  if (bytes[close] !== quote) {
    stringRead = 0;
    return readUnusualString(start, close);
  }
  position = close + 1;
  const text = readCommonString(bytes, start, close);
  stringRead = entryOfString;
  return text;
}

/** Where the first byte stands that is no ASCII text: the quote, as a rule. Four at a time. */
function endOfPlainText(start: number): number {
  let at = start;
  for (; at <= end - 4; at += 4) {
    const word = words.getInt32(at, true);
    const quotes = word ^ 0x22222222;
    const backslashes = word ^ 0x5c5c5c5c;
    // The lowest bit that is set stands in the first byte that is one of them.
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

/** Reads a string with escapes or with more than ASCII. */
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

/** As many digits always fit a number exactly. */
const safeDigits = 15;
/** Longer numbers are left to the parser for all JSON, which knows how long they may be. */
const maxNumberLength = 400;
const integer = /^-?(?:0|[1-9]\d*)$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads the number that stands here. */
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

/** Reads a number with a fraction or an exponent, or one that may be too large for a number. */
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
