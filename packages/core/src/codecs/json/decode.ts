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
    throw decodeError(`the body is not JSON: ${withoutSnippet((error as Error).message)}`);
  }
}

/** What is wrong and where, without the piece of the body that V8 shows: it may be of a Secret. */
function withoutSnippet(message: string): string {
  return message
    .replace(/^(Unexpected token).*?(?= in JSON at|$)/s, "$1")
    .replace(/^".*(?=is not valid JSON)/s, "it ");
}

/** Drops `metadata.managedFields` of an object, or of each item of a list, where the options ask for it. */
export function withoutManagedFields(
  value: unknown,
  { managedFields = true }: DecodeOptions,
): unknown {
  if (!managedFields) {
    const { items } = (value ?? {}) as { items?: unknown };
    for (const object of Array.isArray(items) ? items : [value]) {
      const holder = object as { metadata?: unknown } | null;
      const metadata = holder?.metadata;
      if (typeof metadata === "object" && metadata !== null && "managedFields" in metadata) {
        // A copy, not `delete`: that would leave an object in V8's slow mode, a third larger.
        const { managedFields: _, ...rest } = metadata;
        (holder as { metadata?: unknown }).metadata = rest;
      }
    }
  }
  return value;
}
