import { asBuffer, textBetween } from "../../bytes.js";
import { defaultLimits } from "../../limits.js";
import type { DecodeOptions } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { assertJsonDepth } from "./depth.js";
import { mayHoldLargeInteger, parseWithLargeIntegers } from "./large-integers.js";
import { type Cut, managedFieldsCut, withoutManagedFields } from "./managed-fields.js";

/** Decodes one JSON body. */
export function decodeJson(bytes: Uint8Array, options: DecodeOptions = {}): unknown {
  if (bytes.byteLength === 0) {
    throw decodeError("the body is empty where JSON was expected");
  }
  const { byteLength } = bytes;
  assertJsonDepth(bytes, 0, byteLength, options.limits?.maxDepth ?? defaultLimits.maxDepth);
  return withoutManagedFields(decodeJsonObject(asBuffer(bytes), 0, byteLength, options), options);
}

const inMetadata = ["metadata"];

/**
 * Decodes the object whose text stands between two positions. Managed fields that nobody wants are cut out of the
 * bytes, so that they cost no parsing.
 *
 * @param typeMeta - text in front of the object's first key (`"kind":"Pod",`), when it has one.
 * @param path - where managedFields stand.
 */
export function decodeJsonObject(
  buffer: Buffer,
  start: number,
  end: number,
  { managedFields = true }: DecodeOptions,
  typeMeta = "",
  path: readonly string[] = inMetadata,
): unknown {
  const cut = managedFields ? undefined : managedFieldsCut(buffer, start, end, path);
  if (cut !== undefined) {
    try {
      return parseJson(buffer, start, end, typeMeta, cut);
    } catch {
      // A wrong guess about where they end, or a text that is wrong itself: the whole of it tells.
    }
  }
  return parseJson(buffer, start, end, typeMeta);
}

/** Parses the JSON text between two positions. Integers beyond 2^53 become `bigint`, so that nothing is lost. */
export function parseJson(
  bytes: Uint8Array,
  start: number,
  end: number,
  typeMeta = "",
  cut: Cut = { start: end, end },
): unknown {
  const buffer = asBuffer(bytes);
  const text =
    (typeMeta === ""
      ? textBetween(buffer, start, cut.start)
      : `{${typeMeta}${textBetween(buffer, start + 1, cut.start)}`) +
    (cut.end < end ? textBetween(buffer, cut.end, end) : "");
  const large =
    mayHoldLargeInteger(bytes, start, cut.start) || mayHoldLargeInteger(bytes, cut.end, end);
  try {
    return large ? parseWithLargeIntegers(text) : JSON.parse(text);
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
