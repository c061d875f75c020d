import type { Buffer } from "node:buffer";
import { findShared, offerShared, outHash } from "../shared-objects.js";
import type { MessageType } from "./message-type.js";
import { unknownFieldsReported } from "./unknown-fields.js";

/**
 * Reads a message that other objects may share. A message with a field missing from the schema tables is not shared, so
 * that the field is reported each time.
 *
 * @param read - reads the message when no equal one is known.
 */
export function readShared(
  type: MessageType,
  bytes: Buffer,
  start: number,
  end: number,
  read: (type: MessageType, bytes: Buffer, start: number, end: number) => object,
): object {
  const known = findShared(type, bytes, start, end);
  if (known !== undefined) {
    return known;
  }
  const hash = outHash;
  const unknownBefore = unknownFieldsReported();
  const object = read(type, bytes, start, end);
  if (unknownFieldsReported() === unknownBefore) {
    offerShared(type, bytes, start, end, object, hash);
  }
  return object;
}
