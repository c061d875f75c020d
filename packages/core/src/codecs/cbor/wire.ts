import type { Buffer } from "node:buffer";
import { decodeError } from "../decode-error.js";

/** The eight major types, encoded in the first three bits of an item (RFC 8949 §3.1). */
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

/** Tags that have a meaning in Kubernetes. Other tags are ignored and their content is read. */
export const tags = {
  timeText: 0,
  epochTime: 1,
  unsignedBignum: 2,
  negativeBignum: 3,
  laterBase64Url: 21,
  laterBase64: 22,
  laterBase16: 23,
} as const;

/** Values of an item's lower five bits that are neither a value nor a length. */
export const infos = { oneByte: 24, twoBytes: 25, fourBytes: 26, eightBytes: 27, indefinite: 31 };

/** Ends an indefinite-length item. */
export const breakByte = 0xff;

/** Tag 55799 as bytes. Kubernetes writes it in front of each object, to distinguish CBOR from JSON and protobuf. */
export const selfDescribedTag: Uint8Array = Uint8Array.of(0xd9, 0xd9, 0xf7);

// A second result: docs/wire.md, "Second results".
/** End position of the last read. */
export let outPosition = 0;

/** Sets the end position, for reads of more than one head. */
export function setOutPosition(at: number): void {
  outPosition = at;
}

/** Returns the number of bytes between an item's first byte and its content. */
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
 * Reads the value or length in an item's head; `start` is the position after the first byte. Values beyond 2^53 are
 * rounded; no length is that large.
 */
export function readArgument(bytes: Buffer, start: number, end: number, info: number): number {
  if (info < infos.oneByte) {
    outPosition = start;
    return info;
  }
  const stop = start + argumentBytes(info);
  if (stop > end) {
    throw cut();
  }
  outPosition = stop;
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

/** Reads an integer; `bigint` only where a number would be inexact. Kubernetes has no integers beyond signed 64 bits. */
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
  outPosition = stop;
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
    return Number.NaN; // or infinite, which is rejected too
  }
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (fraction + 0x400) * 2 ** (exponent - 25));
}

/** Returns the error for truncated input. */
export function cut(): Error {
  return decodeError("the body ends in the middle");
}
