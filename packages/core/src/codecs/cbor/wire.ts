import type { Buffer } from "node:buffer";
import { decodeError } from "../decode-error.js";

/** The eight kinds of data item, which the first three bits of an item say (RFC 8949 §3.1). */
export const majorTypes = {
  unsigned: 0,
  negative: 1,
  bytes: 2,
  text: 3,
  array: 4,
  map: 5,
  tag: 6,
  simple: 7,
} as const;

/** The tags that mean something to Kubernetes; what other tags hold is read as if the tag were not there. */
export const tags = {
  timeText: 0,
  epochTime: 1,
  unsignedBignum: 2,
  negativeBignum: 3,
  laterBase64Url: 21,
  laterBase64: 22,
  laterBase16: 23,
} as const;

/** The last five bits of an item's first byte, where they are no value and no length of one. */
export const infos = { oneByte: 24, twoBytes: 25, fourBytes: 26, eightBytes: 27, indefinite: 31 };

/** Ends what has no length. */
export const breakByte = 0xff;

/** Tag 55799 as bytes. Kubernetes writes it in front of each object, to tell it from JSON and protobuf. */
export const selfDescribedTag: Uint8Array = Uint8Array.of(0xd9, 0xd9, 0xf7);

/** Where the last read ended. One variable for the module: returning pairs would allocate on every item. */
export let position = 0;

/** For reads of more than one head. */
export function setPosition(at: number): void {
  position = at;
}

/** How many bytes stand between an item's first byte and its content. */
export function argumentBytes(info: number): number {
  if (info < infos.oneByte || info === infos.indefinite) {
    return 0;
  }
  if (info > infos.eightBytes) {
    throw decodeError(`the additional information ${info} is reserved`);
  }
  return 1 << (info - infos.oneByte);
}

/**
 * Reads the value or length in an item's head; `start` is behind the first byte. Beyond 2^53 it is rounded, which no
 * length can be.
 */
export function readArgument(bytes: Buffer, start: number, end: number, info: number): number {
  if (info < infos.oneByte) {
    position = start;
    return info;
  }
  const stop = start + argumentBytes(info);
  if (stop > end) {
    throw cut();
  }
  position = stop;
  switch (info) {
    case infos.oneByte:
      return bytes[start] as number;
    case infos.twoBytes:
      return ((bytes[start] as number) << 8) | (bytes[start + 1] as number);
    case infos.fourBytes:
      return bytes.readUInt32BE(start);
    case infos.eightBytes:
      return bytes.readUInt32BE(start) * 0x1_0000_0000 + bytes.readUInt32BE(start + 4);
    default:
      throw decodeError("an item is incomplete");
  }
}

/** Reads an integer; `bigint` only where a number would lie. Kubernetes knows no integers beyond 64 bits with sign. */
export function readInteger(
  bytes: Buffer,
  start: number,
  end: number,
  info: number,
  negative: boolean,
): number | bigint {
  const argument = readArgument(bytes, start, end, info);
  const value = negative ? -1 - argument : argument;
  if (Number.isSafeInteger(value)) {
    return value;
  }
  const exact = bytes.readBigUInt64BE(start);
  if (exact > 0x7fff_ffff_ffff_ffffn) {
    throw decodeError("an integer does not fit into signed 64 bits");
  }
  return negative ? -1n - exact : exact;
}

/** Reads a floating-point number of two, four or eight bytes. */
export function readFloat(bytes: Buffer, start: number, end: number, info: number): number {
  const stop = start + argumentBytes(info);
  if (stop > end) {
    throw cut();
  }
  position = stop;
  const value =
    info === infos.twoBytes
      ? halfToNumber(bytes.readUInt16BE(start))
      : info === infos.fourBytes
        ? bytes.readFloatBE(start)
        : bytes.readDoubleBE(start);
  if (!Number.isFinite(value)) {
    throw decodeError("a number is not finite");
  }
  return value;
}

function halfToNumber(half: number): number {
  const sign = half >= 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0x1f) {
    return Number.NaN; // or infinite, which is refused just the same
  }
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (fraction + 0x400) * 2 ** (exponent - 25));
}

/** The error for bytes that end before what they began. */
export function cut(): Error {
  return decodeError("the body ends in the middle");
}
