import { wordsOf } from "./common-strings.js";

/** Smaller texts of objects cost less than looking for them. */
const minBytes = 8;
/** Larger ones are rarely the same twice. */
const maxBytes = 512;
/** With texts of at most 512 bytes the table stays below some 8 MiB for ever. */
const slots = 1 << 12;

/** What the same bytes are the same object of: a type of messages, or the objects at one place of a kind. */
export interface ObjectType {
  /** One of few, for its hash. */
  readonly id: number;
}

interface Entry {
  readonly type: ObjectType;
  /** A copy of the bytes. */
  readonly words: DataView;
  /** How many bytes it has: to ask a view for its length is a call. */
  readonly length: number;
  readonly object: object;
}

const entries: (Entry | undefined)[] = new Array<undefined>(slots).fill(undefined);
/** The hash of the last newcomer to each slot: only who comes twice is let in. */
const newcomers = new Int32Array(slots);

/** The hash of the bytes that {@link findShared} looked for last. */
export let hashLookedFor = 0;

/** Whether an object's bytes are of a size that is worth sharing. */
export function isShareable(start: number, end: number): boolean {
  const length = end - start;
  return length >= minBytes && length <= maxBytes;
}

/**
 * The object that the same bytes of the same type gave before, frozen all the way down. Pods of a deployment are equal in
 * most of what they say: sharing it halves a cache, and what is shared is not decoded again.
 */
export function findShared(
  type: ObjectType,
  bytes: Buffer,
  start: number,
  end: number,
): object | undefined {
  const hash = hashOf(type, bytes, start, end);
  const slot = slotOf(hash);
  hashLookedFor = hash;
  const entry = entries[slot];
  placeOfShared = slot;
  return entry !== undefined &&
    entry.type === type &&
    entry.length === end - start &&
    hasBytes(entry.words, wordsOf(bytes), start, end)
    ? entry.object
    : undefined;
}

/** The place in the table of what {@link findShared} found last. */
export let placeOfShared = 0;

/**
 * The bytes of what stands at a place of the table, if they stand at `start` as well; 0 if not.
 *
 * @param end - where the bytes are over.
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

/** The object at a place of the table where {@link sharedLength} found its bytes. */
export function sharedAt(place: number): object {
  return (entries[place] as Entry).object;
}

/** Whether as many bytes are the same; for so few a call of `Buffer.compare` costs more than comparing them. */
function hasBytes(known: DataView, words: DataView, start: number, end: number): boolean {
  const length = end - start;
  for (let at = 0; at <= length - 4; at += 4) {
    if (known.getInt32(at, true) !== words.getInt32(start + at, true)) {
      return false;
    }
  }
  // The last four once more, with what is left of them.
  return known.getInt32(length - 4, true) === words.getInt32(end - 4, true);
}

/**
 * Offers what some bytes gave, to be shared when it comes again.
 *
 * @param hash - {@link hashLookedFor} as it was before they were decoded, which looks for others.
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
 * Of every byte: objects that differ where a hash does not look would push each other out of their slot for ever, and be
 * frozen and copied each time.
 */
function hashOf(type: ObjectType, bytes: Buffer, start: number, end: number): number {
  const words = wordsOf(bytes);
  let hash = Math.imul(end - start, 0x01000193) ^ type.id;
  let at = start;
  for (; at <= end - 4; at += 4) {
    hash = Math.imul(hash ^ words.getInt32(at, true), 0x01000193);
    hash ^= hash >>> 15;
  }
  // The last four once more, with what is left of them: there are eight at least.
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
