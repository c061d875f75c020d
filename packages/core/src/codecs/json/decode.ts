import { asBuffer, textBetween } from "../../bytes/bytes.js";
import { defaultLimits } from "../../options/limits.js";
import { projectBody } from "../../projection/project-value.js";
import type { DecodeOptions } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { assertJsonDepth } from "./depth.js";
import { mayHoldLargeInteger } from "./large-integers.js";
import { managedFieldsCut, withoutManagedFields } from "./managed-fields.js";
import { parseJson, parseText } from "./parse.js";

/** Decodes one JSON body. */
export function decodeJson(bytes: Uint8Array, options: DecodeOptions = {}): unknown {
  if (bytes.byteLength === 0) {
    throw decodeError("the body is empty where JSON was expected");
  }
  const { byteLength } = bytes;
  assertJsonDepth(bytes, 0, byteLength, options.limits?.maxDepth ?? defaultLimits.maxDepth);
  const body = decodeJsonObject(asBuffer(bytes), 0, byteLength, options);
  return projectBody(withoutManagedFields(body, options), options.projection);
}

const inMetadata = ["metadata"];

/**
 * Decodes the whole object between two positions. Unwanted managedFields are cut out of the bytes, so that they are
 * never parsed.
 *
 * @param path - keys that lead to the object with the managedFields.
 */
export function decodeJsonObject(
  buffer: Buffer,
  start: number,
  end: number,
  { managedFields = true, limits }: DecodeOptions,
  path: readonly string[] = inMetadata,
): unknown {
  const cut = managedFields ? undefined : managedFieldsCut(buffer, start, end, path);
  if (cut !== undefined) {
    const rest = textBetween(buffer, start, cut.start) + textBetween(buffer, cut.end, end);
    try {
      return parseText(rest, mayHoldLargeInteger(buffer, start, end), limits);
    } catch {
      // Either the end of managedFields was guessed wrong or the text is invalid; parsing all of it decides.
    }
  }
  return parseJson(buffer, start, end, limits);
}
