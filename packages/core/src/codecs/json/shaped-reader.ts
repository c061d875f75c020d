import { type TextBuffer, textBetween } from "../../bytes.js";
import type { DecodeOptions } from "../codec.js";
import {
  entryOfString,
  likelyLength,
  readString as readCommonString,
  releaseStrings,
  textOf,
  wordsOf,
} from "../common-strings.js";
import { setOwn } from "../own-property.js";
import {
  findShared,
  hashLookedFor,
  isShareable,
  offerShared,
  placeOfShared,
  sharedAt,
  sharedLength,
} from "../shared-objects.js";
import { integerOf } from "../whole-numbers.js";
import { firstObject, type KindShape, type Shape, type ShapeKey } from "./shape.js";
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from "./tokens.js";

/** What an object of a list is by the list's own words. */
export interface TypeMeta {
  readonly apiVersion: string | undefined;
  readonly kind: string;
}

// One reader for the module: what it reads stands in variables, since returning a value and a position would allocate
// for every value, and several closures of it would each be compiled.
const nothing = Buffer.alloc(0) as TextBuffer;
let bytes = nothing;
let words: DataView = wordsOf(bytes);
let position = 0;
let end = 0;
let depth = 0;
let keepManagedFields = true;
let shareEqual = false;
/** What the object that is read next says first of all, though its text does not. */
let ownTypeMeta: TypeMeta | undefined;
/** Keys, strings and numbers that had to be read in a way that costs more than `JSON.parse`. */
let surprises = 0;
/** The elements of arrays that are being read, one array behind the other; room for more than this is not kept. */
const elements: unknown[] = [];
const keptElements = 1 << 14;
let elementsEnd = 0;

const minus = 0x2d;
const zero = 0x30;

/** Values nest at most this deep here; deeper ones are for `JSON.parse`, which does not recurse. */
const maxDepth = 100;

/** About the bytes over which this reader gains what one surprise costs it. */
const bytesPerSurprise = 64;

/** Thrown where a text is not what is expected here. It has no stack: a text may be that often. */
const notExpected = { reason: "not compact JSON as servers write it" };

/**
 * Reads a compact JSON object by what others of its kind looked like: keys are compared with those expected, strings that come
 * often are found in a table. Twice as fast as `JSON.parse` when it has run for a while, as fast at first.
 *
 * Whatever is unusual (white space between values, an empty key, values more than 100 deep) or wrong is left to others.
 *
 * @param start - where its brace stands.
 * @param stop - where the text is over; the object may end before.
 * @param options - where managedFields end that are not kept is a guess, the next `}]`: a caller that does not keep them must know
 * where the object ends. A guess that is wrong makes it end elsewhere.
 * @param typeMeta - kind and apiVersion for an object whose text says neither.
 * @returns `undefined` where it gives up; nothing follows from that about the text. {@link endOfObject} tells where the object ended.
 */
export function readShapedObject(
  buffer: Buffer,
  start: number,
  stop: number,
  shape: KindShape,
  options: DecodeOptions,
  typeMeta?: TypeMeta,
): Record<string, unknown> | undefined {
  if (!shape.isWorthTrying()) {
    return undefined;
  }
  bytes = buffer as TextBuffer;
  words = wordsOf(buffer);
  position = start;
  end = stop;
  keepManagedFields = options.managedFields ?? true;
  shareEqual = options.shareEqual ?? false;
  ownTypeMeta = typeMeta;
  surprises = 0;
  try {
    const object = bytes[start] === openBrace ? readObject(shape) : undefined;
    shape.tell(surprises * bytesPerSurprise < position - start);
    return position <= stop ? object : undefined;
  } catch (error) {
    if (error !== notExpected && !(error instanceof SyntaxError)) {
      throw error;
    }
    elements.fill(undefined, 0, elementsEnd);
    elementsEnd = 0;
    depth = 0;
    shape.tell(false);
    return undefined;
  }
}

/** Where the object ended that was read last. */
export function endOfObject(): number {
  return position;
}

/** To be called when a decoding is over: the reader must not keep a body alive. */
export function releaseReader(): void {
  bytes = nothing;
  words = wordsOf(nothing);
  releaseStrings();
  if (elements.length > keptElements) {
    elements.length = 0;
  }
}

/** Reads an object that another object may hold as well. */
function readShared(shape: Shape): object {
  const start = position;
  const length = sharedLength(shape.likelyShared, shape, bytes, start, end);
  if (length > 0) {
    position = start + length;
    return sharedAt(shape.likelyShared);
  }
  const object = readObject(shape);
  if (!isShareable(start, position)) {
    return object;
  }
  // Only now it is known where it ends; what was read for nothing is garbage at once.
  const known = findShared(shape, bytes, start, position);
  shape.likelyShared = placeOfShared;
  if (known === undefined) {
    offerShared(shape, bytes, start, position, object, hashLookedFor);
  }
  return known ?? object;
}

/** Reads an object at its brace. */
function readObject(shape: Shape): Record<string, unknown> {
  position++;
  if (bytes[position] === closeBrace) {
    position++;
    return {};
  }
  if (++depth > maxDepth) {
    throw notExpected;
  }
  const object = new shape.Plain();
  if (ownTypeMeta !== undefined) {
    object["kind"] = ownTypeMeta.kind;
    object["apiVersion"] = ownTypeMeta.apiVersion;
    ownTypeMeta = undefined;
  }
  let key: ShapeKey | undefined;
  let expected = shape.first;
  for (;;) {
    const before = key;
    let name: string;
    let value: Shape;
    // What may be left out often is: the key behind the one expected is the next best guess.
    if (expected !== undefined && !isNext(expected)) {
      expected = expected.next !== undefined && isNext(expected.next) ? expected.next : undefined;
    }
    if (expected !== undefined) {
      key = expected;
      position += key.length;
    } else {
      key = readKey(shape, before);
    }
    if (key === undefined) {
      name = nameOfKey;
      value = shape.elements;
    } else {
      name = key.name;
      value = key.value;
    }
    if (key?.isManagedFields === true && isDropped()) {
      skipObjects();
    } else if (name === "__proto__") {
      setOwn(object, name, readValue(value));
    } else {
      object[name] = readValue(value);
    }
    const byte = bytes[position++];
    if (byte === closeBrace) {
      break;
    }
    if (byte !== comma) {
      throw notExpected;
    }
    expected = key?.next;
  }
  if (shape.Plain === firstObject) {
    shape.learnSize(object);
  }
  depth--;
  return object;
}

/** Whether a key is the one that stands here. */
function isNext(key: ShapeKey): boolean {
  const { length, words: wordsOfKey } = key;
  const last = position + length - 4;
  if (last + 4 > end || length < 4) {
    return false;
  }
  let word = 0;
  for (let at = position; at < last; at += 4) {
    if (wordsOfKey[word++] !== words.getInt32(at, true)) {
      return false;
    }
  }
  return wordsOfKey[word] === words.getInt32(last, true);
}

/** The name of the key that was read last. */
let nameOfKey = "";

/** Reads a key that is another than expected, and expects it the next time; `undefined` for a key of a map. */
function readKey(shape: Shape, before: ShapeKey | undefined): ShapeKey | undefined {
  surprises++;
  const start = position;
  if (bytes[position++] !== quote) {
    throw notExpected;
  }
  nameOfKey = readString(0);
  if (bytes[position++] !== colon) {
    throw notExpected;
  }
  const key = shape.key(nameOfKey, bytes, start, position);
  if (key !== undefined) {
    if (before === undefined) {
      shape.first = key;
    } else {
      before.next = key;
    }
  }
  return key;
}

/** Whether the `managedFields` that stand here are an array of objects that nobody wants. */
function isDropped(): boolean {
  return !keepManagedFields && bytes[position] === openBracket && bytes[position + 1] === openBrace;
}

/** Skips an array of objects, to the next `}]`: the fields of managers have no arrays. */
function skipObjects(): void {
  let close = bytes.indexOf(closeBracket, position + 2);
  while (close >= 0 && bytes[close - 1] !== closeBrace) {
    close = bytes.indexOf(closeBracket, close + 1);
  }
  if (close < 0 || close >= end) {
    throw notExpected;
  }
  position = close + 1;
}

function readValue(shape: Shape): unknown {
  const byte = bytes[position];
  switch (byte) {
    case quote: {
      position++;
      const text = readString(shape.likelyString);
      shape.likelyString = stringRead;
      return text;
    }
    case openBrace:
      return shareEqual && shape.mayBeShared ? readShared(shape) : readObject(shape);
    case openBracket:
      position++;
      return readArray(shape.elements);
    case 0x66: // f
      return readWord(1, 0x65736c61, false);
    case 0x6e: // n
      return readWord(0, 0x6c6c756e, null);
    case 0x74: // t
      return readWord(0, 0x65757274, true);
    default:
      return readNumber();
  }
}

/** Reads the word whose last four letters these are. */
function readWord<T>(before: number, letters: number, value: T): T {
  const last = position + before;
  if (last + 4 > end || words.getInt32(last, true) !== letters) {
    throw notExpected;
  }
  position = last + 4;
  return value;
}

/** Reads what stands behind an opening bracket. */
function readArray(shape: Shape): unknown[] {
  if (bytes[position] === closeBracket) {
    position++;
    return [];
  }
  if (++depth > maxDepth) {
    throw notExpected;
  }
  const first = elementsEnd;
  for (;;) {
    elements[elementsEnd++] = readValue(shape);
    const byte = bytes[position++];
    if (byte === closeBracket) {
      break;
    }
    if (byte !== comma) {
      throw notExpected;
    }
  }
  // Of exactly this size: an array that grows has room for more than it holds.
  const array = elements.slice(first, elementsEnd);
  while (elementsEnd > first) {
    elements[--elementsEnd] = undefined;
  }
  depth--;
  return array;
}

/** The entry of the string that was read last. */
let stringRead = 0;

/** Reads what stands behind a quote. */
function readString(likely: number): string {
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
    ? (JSON.parse(textBetween(bytes, start - 1, position)) as string)
    : textBetween(bytes, start, at);
}

/** As many digits always fit a number exactly. */
const safeDigits = 15;
const integer = /^-?(?:0|[1-9]\d*)$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function readNumber(): bigint | number {
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
