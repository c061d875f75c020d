import { asBuffer } from "../../bytes.js";
import type { DecodeOptions } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { mayHoldLargeInteger, parseWithLargeIntegers } from "./large-integers.js";

/** Decodes one JSON body. */
export function decodeJson(bytes: Uint8Array, options: DecodeOptions = {}): unknown {
  if (bytes.byteLength === 0) {
    throw decodeError("the body is empty where JSON was expected");
  }
  return withoutManagedFields(parseJson(bytes, 0, bytes.byteLength), options);
}

/** Parses the JSON text between two positions. Integers beyond 2^53 become `bigint`, so that nothing is lost. */
export function parseJson(bytes: Uint8Array, start: number, end: number): unknown {
  const text = asBuffer(bytes).toString("utf8", start, end);
  try {
    return mayHoldLargeInteger(bytes, start, end) ? parseWithLargeIntegers(text) : JSON.parse(text);
  } catch (error) {
    throw decodeError(`the body is not JSON: ${(error as Error).message}`, error);
  }
}

/** Drops `metadata.managedFields` where the options ask for it. */
export function withoutManagedFields(value: unknown, { managedFields = true }: DecodeOptions): unknown {
  if (!managedFields) {
    const metadata = (value as { metadata?: Record<string, unknown> } | null)?.metadata;
    if (metadata !== undefined && metadata !== null) {
      delete metadata["managedFields"];
    }
  }
  return value;
}
