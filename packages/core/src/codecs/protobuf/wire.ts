import { decodeError } from "../decode-error.js";

/** The wire types that gogo's generated code writes. */
export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Where the last read ended. One variable for the module: returning pairs would allocate on every field. */
export let position = 0;

/** Reads an unsigned varint up to 2^53; what is larger wraps, which no tag or length may do. */
export function readVarint(bytes: Uint8Array, start: number): number {
  let at = start;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  let factor = 128;
  while (byte >= 0x80) {
    byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * factor;
    factor *= 128;
    if (at - start > 10) {
      throw decodeError("a varint is longer than 10 bytes");
    }
  }
  position = at;
  return value;
}

/** Where the number ended that was read last; it must not be beyond what holds it. */
export function checkedEnd(end: number): number {
  if (position > end) {
    throw decodeError("a number is cut");
  }
  return position;
}

/** Reads a length; leaves {@link position} at the first byte after it and returns where the last one ends. */
export function lengthDelimitedEnd(bytes: Uint8Array, at: number, end: number): number {
  let length = bytes[at] as number;
  if (length < 0x80) {
    // Nearly all are: without a loop this is read where it is called.
    position = at + 1;
  } else {
    length = readVarint(bytes, at);
  }
  const stop = position + length;
  if (stop > end) {
    throw decodeError("a field is longer than what holds it");
  }
  return stop;
}

/** Reads a signed integer of the wire; `bigint` only where a number would lie. */
export function readInteger(bytes: Uint8Array, start: number): number | bigint {
  let at = start;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  let factor = 128;
  while (byte >= 0x80 && at - start < 7) {
    byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * factor;
    factor *= 128;
  }
  if (byte < 0x80) {
    position = at;
    return value;
  }
  return readLongInteger(bytes, start);
}

/** An integer as Go's int32 takes it: its lower 32 bits. */
export function toInt32(value: number | bigint): number {
  return typeof value === "number" ? value | 0 : Number(BigInt.asIntN(32, value));
}

/** Integers of more than 7 bytes: beyond 2^49, or negative. */
function readLongInteger(bytes: Uint8Array, start: number): number | bigint {
  let value = 0n;
  let at = start;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = bytes[at++] ?? 0;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) {
      position = at;
      const signed = BigInt.asIntN(64, value);
      const number = Number(signed);
      return Number.isSafeInteger(number) ? number : signed;
    }
  }
  throw decodeError("a varint is longer than 10 bytes");
}

/**
 * Reads a varint that may not be whole yet; -1 when it is not. Streams ask this before they touch a message, since
 * an exception as "need more bytes" would cost more than the decoding.
 */
export function tryReadVarint(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if ((bytes[at] ?? 0) < 0x80) {
      return readVarint(bytes, start);
    }
    if (at - start >= 10) {
      throw decodeError("a varint is longer than 10 bytes");
    }
  }
  return -1;
}

/** The number 0 is no field's: protobuf calls such a tag illegal. */
export function assertFieldNumber(tag: number): void {
  if (tag < 8) {
    throw decodeError("a field has the number 0");
  }
}

/** Where the value of the field with this tag ends. */
export function skipField(bytes: Uint8Array, tag: number, start: number, end: number): number {
  assertFieldNumber(tag);
  const wireType = tag & 7;
  let stop: number;
  switch (wireType) {
    case wireTypes.varint:
      readVarint(bytes, start);
      stop = position;
      break;
    case wireTypes.fixed64:
      stop = start + 8;
      break;
    case wireTypes.bytes: {
      const length = readVarint(bytes, start);
      stop = position + length;
      break;
    }
    case wireTypes.fixed32:
      stop = start + 4;
      break;
    default:
      throw decodeError(`wire type ${wireType} is not used by Kubernetes`);
  }
  if (stop > end) {
    throw decodeError("a field is longer than what holds it");
  }
  return stop;
}
