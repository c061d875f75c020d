import { decodeError } from "../decode-error.js";

/** Wire types that gogo's generated code writes. */
export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

// A second result: docs/wire.md, "Second results".
/** End position of the last read. */
export let outPosition = 0;

/** Reads an unsigned varint up to 2^53. Larger values are inexact, but no tag or length is that large. */
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
  outPosition = at;
  return value;
}

/**
 * Returns the end of the number that was read last, which must not exceed `end`.
 *
 * @param field - name of the field, for the error.
 */
export function checkedEnd(end: number, field: string): number {
  if (outPosition > end) {
    throw decodeError(`the number in ${field} is truncated`);
  }
  return outPosition;
}

/** Reads a length. Leaves {@link outPosition} at the first byte of the content and returns the end of the content. */
export function lengthDelimitedEnd(bytes: Uint8Array, at: number, end: number): number {
  let length = bytes[at] as number;
  if (length < 0x80) {
    // Nearly all lengths take one byte. Without a loop, V8 inlines this function into its callers.
    outPosition = at + 1;
  } else {
    length = readVarint(bytes, at);
  }
  const stop = outPosition + length;
  if (stop > end) {
    throw decodeError("a field is longer than its message");
  }
  return stop;
}

/** Reads a signed integer; `bigint` only where a number would be inexact. */
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
    outPosition = at;
    return value;
  }
  return readLongInteger(bytes, start);
}

/** Returns an integer as Go's int32 stores it: its lower 32 bits. */
export function toInt32(value: number | bigint): number {
  return typeof value === "number" ? value | 0 : Number(BigInt.asIntN(32, value));
}

/** Reads an integer of more than 7 bytes: beyond 2^49, or negative. */
function readLongInteger(bytes: Uint8Array, start: number): number | bigint {
  let value = 0n;
  let at = start;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = bytes[at++] ?? 0;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) {
      outPosition = at;
      const signed = BigInt.asIntN(64, value);
      const number = Number(signed);
      return Number.isSafeInteger(number) ? number : signed;
    }
  }
  throw decodeError("a varint is longer than 10 bytes");
}

/**
 * Reads a varint that may be incomplete; -1 when it is. Streams check this before they read a message, because
 * signalling "need more bytes" by an exception would cost more than the decoding.
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

/** Rejects the field number 0, which protobuf calls illegal. */
export function assertFieldNumber(tag: number): void {
  if (tag < 8) {
    throw decodeError("a field has the number 0");
  }
}

/** Returns the end of the value of the field with this tag. */
export function skipField(bytes: Uint8Array, tag: number, start: number, end: number): number {
  assertFieldNumber(tag);
  const wireType = tag & 7;
  let stop: number;
  switch (wireType) {
    case wireTypes.varint:
      readVarint(bytes, start);
      stop = outPosition;
      break;
    case wireTypes.fixed64:
      stop = start + 8;
      break;
    case wireTypes.bytes: {
      const length = readVarint(bytes, start);
      stop = outPosition + length;
      break;
    }
    case wireTypes.fixed32:
      stop = start + 4;
      break;
    default:
      throw decodeError(`wire type ${wireType} is not used by Kubernetes`);
  }
  if (stop > end) {
    throw decodeError("a field is longer than its message");
  }
  return stop;
}

/** Returns the end of consecutive elements of a repeated field, of which the first begins at `start`. */
export function endOfElements(tag: number, bytes: Buffer, start: number, end: number): number {
  let at = lengthDelimitedEnd(bytes, start, end);
  while (at < end) {
    const first = bytes[at] as number;
    const next = first < 0x80 ? first : readVarint(bytes, at);
    if (next !== tag) {
      break;
    }
    at = lengthDelimitedEnd(bytes, first < 0x80 ? at + 1 : outPosition, end);
  }
  return at;
}
