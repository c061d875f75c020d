import { wordsOf } from "./common-strings.js";

/** Decoding a smaller object costs less than looking it up. */
const minBytes = 8;
/** Larger objects rarely repeat. */
const maxBytes = 512;
/** Number of slots. With objects of at most 512 bytes the table stays below about 8 MiB. */
const slots = 1 << 12;

/** Scope in which equal bytes give equal objects: a message type, or the objects at one place of a kind. */
export interface ObjectType {
  /** Small number that identifies the type in hashes. */
  readonly id: number;
}

interface Entry {
  readonly type: ObjectType;
  /** Copy of the bytes. */
  readonly words: DataView;
  /** Number of bytes, since reading the length of a view is a function call. */
  readonly length: number;
  readonly object: object;
}

const entries: (Entry | undefined)[] = new Array<undefined>(slots).fill(undefined);
/** Hash of the last candidate for each slot: only an object that comes twice is stored. */
const newcomers = new Int32Array(slots);

// A second result: docs/wire.md, "Second results".
/** Hash of the bytes that {@link findShared} looked up last. */
export let outHash = 0;

/** Returns whether an object's bytes have a size that is worth sharing. */
export function isShareable(start: number, end: number): boolean {
  const length = end - start;
  return length >= minBytes && length <= maxBytes;
}

/**
 * Returns the deeply frozen object that the same bytes of the same type gave before. Pods of a deployment are equal in
 * most parts: sharing them halves a cache, and a shared part is not decoded again.
 */
export function findShared(
  type: ObjectType,
  bytes: Buffer,
  start: number,
  end: number,
): object | undefined {
  const hash = hashOf(type, bytes, start, end);
  const slot = slotOf(hash);
  outHash = hash;
  const entry = entries[slot];
  outPlace = slot;
  return entry !== undefined &&
    entry.type === type &&
    entry.length === end - start &&
    hasBytes(entry.words, wordsOf(bytes), start, end)
    ? entry.object
    : undefined;
}

// A second result: docs/wire.md, "Second results".
/** Place in the table that {@link findShared} looked up last. */
export let outPlace = 0;

/**
 * Returns the number of bytes of the object at a place of the table, if the same bytes occur at `start`; otherwise 0.
 *
 * @param end - end of the bytes.
 */
export function sharedLength(
  place: number,
  type: ObjectType,
  bytes: Buffer,
  start: number,
  end: number,
): number {
  const entry = entries[place];
  return entry !== undefined &&
    entry.type === type &&
    start + entry.length <= end &&
    hasBytes(entry.words, wordsOf(bytes), start, start + entry.length)
    ? entry.length
    : 0;
}

/** Returns the object at a place of the table where {@link sharedLength} found its bytes. */
export function sharedAt(place: number): object {
  return (entries[place] as Entry).object;
}

/** Returns whether the bytes are equal. For so few bytes, a call of `Buffer.compare` costs more than the comparison. */
function hasBytes(known: DataView, words: DataView, start: number, end: number): boolean {
  const length = end - start;
  for (let at = 0; at <= length - 4; at += 4) {
    if (known.getInt32(at, true) !== words.getInt32(start + at, true)) {
      return false;
    }
  }
  // The last four bytes, which may overlap those compared before.
  return known.getInt32(length - 4, true) === words.getInt32(end - 4, true);
}

/**
 * Offers a decoded object, to be shared when its bytes come again.
 *
 * @param hash - {@link outHash} from before the object was decoded, because decoding looks up others.
 */
export function offerShared(
  type: ObjectType,
  bytes: Buffer,
  start: number,
  end: number,
  object: object,
  hash: number,
): void {
  const slot = slotOf(hash);
  if (newcomers[slot] !== hash) {
    newcomers[slot] = hash;
    return;
  }
  freeze(object);
  const length = end - start;
  const copy = Buffer.allocUnsafeSlow(length);
  bytes.copy(copy, 0, start, end);
  entries[slot] = { type, words: new DataView(copy.buffer), length, object };
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (slots - 1);
}

/**
 * Hashes every byte. Objects that differ only in bytes without influence on the hash would keep evicting each other
 * from their slot, and be frozen and copied each time.
 */
function hashOf(type: ObjectType, bytes: Buffer, start: number, end: number): number {
  const words = wordsOf(bytes);
  let hash = Math.imul(end - start, 0x01000193) ^ type.id;
  let at = start;
  for (; at <= end - 4; at += 4) {
    hash = Math.imul(hash ^ words.getInt32(at, true), 0x01000193);
    hash ^= hash >>> 15;
  }
  // The last four bytes, which may overlap those hashed before. There are at least eight.
  hash = Math.imul(hash ^ words.getInt32(end - 4, true), 0x01000193);
  return hash ^ (hash >>> 15);
}

function freeze(value: object): void {
  if (Object.isFrozen(value)) {
    return;
  }
  Object.freeze(value);
  for (const inner of Object.values(value)) {
    if (typeof inner === "object" && inner !== null) {
      freeze(inner);
    }
  }
}
