import type { DecodeOptions } from "../codec.js";
import { type FieldType, type MessageType, valueKinds } from "./message-type.js";

// Of the decoding in progress, as everything that the decoder keeps in its module.
let listener: DecodeOptions["onUnknownField"];
let received = 0;

/** Says who hears of the unknown fields of what is decoded from now on. */
export function tellUnknownFieldsTo(next: DecodeOptions["onUnknownField"]): void {
  listener = next;
}

/** How many fields the tables did not know so far, in all that was ever decoded. */
export function unknownFieldsReported(): number {
  return received;
}

/** A field that the table lacks, or has with another wire type. */
export function tellUnknownField(type: MessageType, tag: number): void {
  received++;
  listener?.(type.name, tag >>> 3);
}

/**
 * Of a message that comes twice Go makes one with the fields of both; here the last stands. No server writes that, so it is told of like
 * a field that the tables lack: whoever reads may have the object as JSON.
 */
export function tellOfAnother(
  type: MessageType,
  field: FieldType,
  object: Readonly<Record<string, unknown>>,
): void {
  if (field.kind === valueKinds.message && Object.hasOwn(object, field.jsonName)) {
    tellUnknownField(type, field.tag);
  }
}
