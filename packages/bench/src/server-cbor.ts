import { seededRandom } from "./seeded-random.js";

const random = seededRandom(7);
const selfDescribed = Buffer.from([0xd9, 0xd9, 0xf7]);
const major = { unsigned: 0, negative: 1, bytes: 2, array: 4, map: 5 } as const;

/**
 * Encodes an object as an API server does in lists and watches: strings are byte strings, and the keys of each map come
 * in an arbitrary order that differs per object. The codec's own encoder sorts keys.
 */
export function encodeServerCbor(object: unknown): Uint8Array {
  const chunks: Uint8Array[] = [selfDescribed];
  write(object, chunks);
  return Buffer.concat(chunks);
}

/** Encodes a watch event; the object inside it carries the self-describe tag again. */
export function encodeServerCborEvent(event: { type: string; object: unknown }): Uint8Array {
  const chunks: Uint8Array[] = [selfDescribed, head(major.map, 2)];
  write("type", chunks);
  write(event.type, chunks);
  write("object", chunks);
  chunks.push(selfDescribed);
  write(event.object, chunks);
  return Buffer.concat(chunks);
}

function write(value: unknown, chunks: Uint8Array[]): void {
  if (typeof value === "string") {
    const bytes = Buffer.from(value);
    chunks.push(head(major.bytes, bytes.length), bytes);
  } else if (typeof value === "number") {
    if (!Number.isInteger(value)) {
      throw new Error("numbers in pods must be integers");
    }
    chunks.push(value < 0 ? head(major.negative, -1 - value) : head(major.unsigned, value));
  } else if (typeof value === "boolean" || value === null) {
    chunks.push(Uint8Array.of(value === null ? 0xf6 : value ? 0xf5 : 0xf4));
  } else if (Array.isArray(value)) {
    chunks.push(head(major.array, value.length));
    for (const element of value) {
      write(element, chunks);
    }
  } else {
    const entries = Object.entries(value as object).filter(([, field]) => field !== undefined);
    const first = Math.floor(random() * entries.length);
    chunks.push(head(major.map, entries.length));
    for (const [key, field] of [...entries.slice(first), ...entries.slice(0, first)]) {
      write(key, chunks);
      write(field, chunks);
    }
  }
}

/** Encodes an item's head: major type and number, in the shortest form. */
function head(majorType: number, value: number): Uint8Array {
  const type = majorType << 5;
  if (value < 24) {
    return Uint8Array.of(type | value);
  }
  if (value < 0x100) {
    return Uint8Array.of(type | 24, value);
  }
  const bytes = Buffer.alloc(value < 0x10000 ? 3 : value < 0x100000000 ? 5 : 9);
  bytes[0] = type | (bytes.length === 3 ? 25 : bytes.length === 5 ? 26 : 27);
  if (bytes.length === 3) {
    bytes.writeUInt16BE(value, 1);
  } else if (bytes.length === 5) {
    bytes.writeUInt32BE(value, 1);
  } else {
    bytes.writeBigUInt64BE(BigInt(value), 1);
  }
  return bytes;
}
