import type { Buffer } from "node:buffer";
import type { MessageType } from "./message-type.js";

/** Smaller messages cost less than looking for them. */
const minBytes = 8;
/** Larger ones are rarely the same twice. */
const maxBytes = 512;
/** With messages of at most 512 bytes the table stays below some 8 MiB for ever. */
const slots = 1 << 12;
/** Places of a message that choose its slot, each of four bytes. */
const hashedWords = 16;

interface Entry {
  readonly type: MessageType;
  readonly bytes: Uint8Array;
  readonly object: object;
}

const entries: (Entry | undefined)[] = new Array<undefined>(slots).fill(undefined);
/** The hash of the last newcomer to each slot: only who comes twice is let in. */
const newcomers = new Int32Array(slots);

/** The hash of the message that {@link findShared} looked for last. */
export let hashLookedFor = 0;

/** Whether a message is of a size that is worth sharing. */
export function isShareable(start: number, end: number): boolean {
  const length = end - start;
  return length >= minBytes && length <= maxBytes;
}

/**
 * The object that the same bytes of the same type gave before, frozen all the way down. Pods of a deployment are equal in
 * most of what they say: sharing it halves a cache, and what is shared is not decoded again.
 */
export function findShared(
  type: MessageType,
  bytes: Buffer,
  start: number,
  end: number,
): object | undefined {
  const hash = hashOf(type, bytes, start, end);
  const slot = slotOf(hash);
  hashLookedFor = hash;
  const entry = entries[slot];
  return entry !== undefined &&
    entry.type === type &&
    entry.bytes.length === end - start &&
    bytes.compare(entry.bytes, 0, entry.bytes.length, start, end) === 0
    ? entry.object
    : undefined;
}

/**
 * Offers what a message gave, to be shared when it comes again.
 *
 * @param hash - {@link hashLookedFor} as it was before the message was decoded, which looks for others.
 */
export function offerShared(
  type: MessageType,
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
  entries[slot] = { type, bytes: Uint8Array.prototype.slice.call(bytes, start, end), object };
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (slots - 1);
}

function hashOf(type: MessageType, bytes: Buffer, start: number, end: number): number {
  const length = end - start;
  let hash = Math.imul(length, 0x01000193) ^ type.id;
  const step = Math.max(4, Math.floor((length - 4) / hashedWords));
  for (let at = start; at <= end - 4; at += step) {
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    hash = Math.imul(hash ^ word, 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash;
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
