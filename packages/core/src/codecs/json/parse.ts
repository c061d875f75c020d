import { asBuffer, textBetween } from "../../bytes/bytes.js";
import { KubeError } from "../../errors/kube-error.js";
import { defaultLimits, type Limits } from "../../options/limits.js";
import { decodeError } from "../decode-error.js";
import { mayHoldLargeInteger, parseWithLargeIntegers } from "./large-integers.js";
import { withoutLoneSurrogates } from "./lone-surrogates.js";

/**
 * Parses the JSON text between two positions. Integers beyond 2^53 become `bigint`, so that no digits are lost.
 *
 * @throws {KubeError} `Decode`; `TooLarge` for a number longer than `maxNumberLength`.
 */
export function parseJson(
  bytes: Uint8Array,
  start: number,
  end: number,
  limits?: Partial<Limits>,
): unknown {
  return parseText(
    textBetween(asBuffer(bytes), start, end),
    mayHoldLargeInteger(bytes, start, end),
    limits,
  );
}

/**
 * Parses JSON text.
 *
 * @param mayHoldLarge - `true` when the bytes of the text may hold an integer beyond 2^53.
 * @throws {KubeError} `Decode`, whose message contains no piece of the text; `TooLarge` for a number longer than
 * `maxNumberLength`.
 */
export function parseText(
  given: string,
  mayHoldLarge: boolean,
  limits: Partial<Limits> = {},
): unknown {
  const text = withoutLoneSurrogates(given);
  try {
    return mayHoldLarge
      ? parseWithLargeIntegers(text, limits.maxNumberLength ?? defaultLimits.maxNumberLength)
      : JSON.parse(text);
  } catch (error) {
    if (error instanceof KubeError) {
      throw error;
    }
    throw decodeError(`the body is not JSON: ${withoutSnippet((error as Error).message)}`);
  }
}

/** Removes the piece of the body that V8 quotes, which may come from a Secret. The problem and its position remain. */
function withoutSnippet(message: string): string {
  return message
    .replace(/^(Unexpected token).*?(?= in JSON at|$)/s, "$1")
    .replace(/^".*(?=is not valid JSON)/s, "it ");
}
