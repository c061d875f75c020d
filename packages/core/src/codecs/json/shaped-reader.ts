import { setOwn } from "../../objects/own-property.js";
import { mark } from "../../projection/projected-objects.js";
import type { DecodeOptions } from "../codec.js";
import { elementsWaiting, forgetElements, putElement, takeElements } from "../element-stack.js";
import {
  findShared,
  isShareable,
  offerShared,
  outHash,
  outPlace,
  sharedAt,
  sharedLength,
} from "../shared-objects.js";
import {
  beginText,
  bytes,
  countSurprise,
  end,
  moveTo,
  notExpected,
  outStringEntry,
  position,
  readNumber,
  readString,
  readWord,
  releaseText,
  surprises,
  takeByte,
  words,
} from "./scalars.js";
import { firstObject, type KindShape, type Shape, type ShapeKey } from "./shape.js";
import { skipValue } from "./skip-value.js";
import { closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from "./tokens.js";

/** Kind and apiVersion of a list's items, as the list implies them. */
export interface TypeMeta {
  readonly apiVersion: string | undefined;
  readonly kind: string;
}

// State of the reading in progress: docs/wire.md, "Second results".
let depth = 0;
let keepManagedFields = true;
let shareEqual = false;
/** Kind and apiVersion to put first into the next object, whose text lacks them. */
let ownTypeMeta: TypeMeta | undefined;
/** Depth up to which this reader reads values. Deeper ones are left to `JSON.parse`, which does not recurse. */
const maxDepth = 100;

/** Approximate number of bytes over which this reader gains the time that one surprise costs. */
const bytesPerSurprise = 64;

/**
 * Reads a compact JSON object by the shape of earlier objects of its kind: compares keys with the expected ones and
 * looks frequent strings up in a table. Twice as fast as `JSON.parse` once warm, equally fast before.
 *
 * Leaves unusual text (white space between values, an empty key, values more than 100 deep) and invalid text to other
 * parsers.
 *
 * @param start - position of its opening brace.
 * @param stop - end of the text; the object may end before.
 * @param options - with `managedFields: false` the reader takes the next `}]` as the end of managedFields. That can be
 * wrong, and {@link outObjectEnd} then differs from the end of the object: the caller must check it.
 * @param typeMeta - kind and apiVersion for an object whose text has neither.
 * @returns `undefined` when the reader stopped early: the text may still be valid, and another parser must read it.
 * {@link outObjectEnd} is the end of the object.
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
  beginText(buffer, start, stop);
  keepManagedFields = options.managedFields ?? true;
  shareEqual = options.shareEqual ?? false;
  ownTypeMeta = typeMeta;
  try {
    const object = bytes[start] === openBrace ? readObject(shape) : undefined;
    outObjectEnd = position;
    shape.tell(surprises * bytesPerSurprise < position - start);
    return position <= stop ? object : undefined;
  } catch (error) {
    if (error !== notExpected && !(error instanceof SyntaxError)) {
      throw error;
    }
    forgetElements();
    depth = 0;
    shape.tell(false);
    return undefined;
  }
}

// A second result: docs/wire.md, "Second results".
/** End of the object that {@link readShapedObject} read last. */
export let outObjectEnd = 0;

/** Releases the body after decoding, so that the reader does not keep it alive. */
export function releaseReader(): void {
  releaseText();
  forgetElements();
}

/** Reads an object or array that other objects may share. */
function readShared(shape: Shape): object {
  const start = position;
  const length = sharedLength(shape.likelyShared, shape, bytes, start, end);
  if (length > 0) {
    moveTo(start + length);
    return sharedAt(shape.likelyShared);
  }
  const isArray = bytes[start] === openBracket;
  const object = isArray ? readArray(shape.elements) : readObject(shape);
  // An array has all its elements, whichever field is read.
  const shared = isArray ? undefined : shape.sharedTexts?.shared(object);
  if ((shared !== undefined && shared !== object) || !isShareable(start, position)) {
    return shared ?? object;
  }
  // Its end is known only now. If an equal object is known, the one read here becomes garbage at once.
  const known = findShared(shape, bytes, start, position);
  shape.likelyShared = outPlace;
  if (known === undefined) {
    offerShared(shape, bytes, start, position, object, outHash);
  }
  return known ?? object;
}

/** Reads an object at its opening brace. */
function readObject(shape: Shape): Record<string, unknown> {
  moveTo(position + 1);
  if (bytes[position] === closeBrace) {
    moveTo(position + 1);
    return {};
  }
  if (++depth > maxDepth) {
    throw notExpected;
  }
  const object = new shape.Plain();
  if (shape.isMarked) {
    mark(object);
  }
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
    let value: Shape | undefined;
    // Optional fields are often omitted: the key after the expected one is the next best guess.
    if (expected !== undefined && !isNext(expected)) {
      expected = expected.next !== undefined && isNext(expected.next) ? expected.next : undefined;
    }
    if (expected !== undefined) {
      key = expected;
      moveTo(position + key.length);
    } else {
      key = readKey(shape, before);
    }
    if (key === undefined) {
      name = outKeyName;
      value = shape.unlearned(name);
    } else {
      name = key.name;
      value = key.value;
    }
    if (key?.isManagedFields === true && isDropped(value)) {
      skipObjects();
    } else if (value === undefined) {
      skipValue();
    } else if (name === "__proto__") {
      setOwn(object, name, readValue(value));
    } else {
      object[name] = readValue(value);
    }
    const byte = takeByte();
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

/** Returns whether the key comes next in the text. */
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

// A second result: docs/wire.md, "Second results".
/** Name of the key that was read last. */
let outKeyName = "";

/** Reads an unexpected key and expects it next time; `undefined` for a key of a map. */
function readKey(shape: Shape, before: ShapeKey | undefined): ShapeKey | undefined {
  const start = position;
  if (takeByte() !== quote) {
    throw notExpected;
  }
  outKeyName = readString(0);
  if (takeByte() !== colon) {
    throw notExpected;
  }
  const key = shape.key(outKeyName, bytes, start, position);
  // Skipping a value is faster than any parser, whatever its key.
  if (key === undefined ? shape.unlearned(outKeyName) !== undefined : key.value !== undefined) {
    countSurprise();
  }
  if (key !== undefined) {
    if (before === undefined) {
      shape.first = key;
    } else {
      before.next = key;
    }
  }
  return key;
}

/** Returns whether the `managedFields` at the current position are an array of objects that must be dropped. */
function isDropped(value: Shape | undefined): boolean {
  const isUnwanted = !keepManagedFields || value === undefined;
  return isUnwanted && bytes[position] === openBracket && bytes[position + 1] === openBrace;
}

/** Skips an array of objects, up to the next `}]`: the entries of managers contain no arrays. */
function skipObjects(): void {
  let close = bytes.indexOf(closeBracket, position + 2);
  while (close >= 0 && bytes[close - 1] !== closeBrace) {
    close = bytes.indexOf(closeBracket, close + 1);
  }
  if (close < 0 || close >= end) {
    throw notExpected;
  }
  moveTo(close + 1);
}

function readValue(shape: Shape): unknown {
  const byte = bytes[position];
  switch (byte) {
    case quote: {
      moveTo(position + 1);
      const text = readString(shape.likelyString);
      shape.likelyString = outStringEntry;
      return text;
    }
    case openBrace:
      return shareEqual && shape.mayBeShared ? readShared(shape) : readObject(shape);
    case openBracket:
      return shareEqual && shape.mayBeShared ? readShared(shape) : readArray(shape.elements);
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

/** Reads an array at its opening bracket. */
function readArray(shape: Shape): unknown[] {
  moveTo(position + 1);
  if (bytes[position] === closeBracket) {
    moveTo(position + 1);
    return [];
  }
  if (++depth > maxDepth) {
    throw notExpected;
  }
  const before = elementsWaiting;
  for (;;) {
    putElement(readValue(shape));
    const byte = takeByte();
    if (byte === closeBracket) {
      break;
    }
    if (byte !== comma) {
      throw notExpected;
    }
  }
  depth--;
  return takeElements(before);
}
