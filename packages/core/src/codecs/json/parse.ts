import { asBuffer, textBetween } from "../../bytes.js";
import { decodeError } from "../decode-error.js";
import { mayHoldLargeInteger, parseWithLargeIntegers } from "./large-integers.js";

/**
 * Parses the JSON text between two positions. Integers beyond 2^53 become `bigint`, so that nothing is lost.
 *
 * @throws {KubeError} `Decode`.
 */
export function parseJson(bytes: Uint8Array, start: number, end: number): unknown {
  return parseText(
    textBetween(asBuffer(bytes), start, end),
    mayHoldLargeInteger(bytes, start, end),
  );
}

/**
 * Parses JSON text.
 *
 * @param mayHoldLarge - whether the bytes it comes from may hold an integer beyond 2^53.
 * @throws {KubeError} `Decode`, without a piece of the text.
 */
export function parseText(text: string, mayHoldLarge: boolean): unknown {
  try {
    return mayHoldLarge ? parseWithLargeIntegers(text) : JSON.parse(text);
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
