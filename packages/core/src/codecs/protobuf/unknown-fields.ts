import type { DecodeOptions } from "../codec.js";
import { type FieldType, type MessageType, valueKinds } from "./message-type.js";

// State of the decoding in progress: docs/wire.md, "Second results".
let listener: DecodeOptions["onUnknownField"];
let received = 0;

/** Sets the callback for the unknown fields of the following decodings. */
export function setUnknownFieldListener(next: DecodeOptions["onUnknownField"]): void {
  listener = next;
}

/** Reads without reporting anything: for parts that the caller does not get. */
export function withoutReports<T>(read: () => T): T {
  const before = listener;
  listener = undefined;
  try {
    return read();
  } finally {
    listener = before;
  }
}

/** Returns the number of unknown fields in all decodings so far. */
export function unknownFieldsReported(): number {
  return received;
}

/** Reports a field that the table lacks, or has with another wire type. */
export function reportUnknownField(type: MessageType, tag: number): void {
  received++;
  listener?.(type.name, tag >>> 3);
}

/**
 * Reports a message that occurs twice. Go merges the fields of both; this decoder keeps the last one. No server writes
 * that, so it is reported like an unknown field: the caller can then read the object as JSON.
 */
export function reportRepeatedMessage(
  type: MessageType,
  field: FieldType,
  object: Readonly<Record<string, unknown>>,
): void {
  if (field.kind === valueKinds.message && Object.hasOwn(object, field.jsonName)) {
    reportUnknownField(type, field.tag);
  }
}
