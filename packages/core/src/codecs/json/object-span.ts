import { textBetween } from "../../bytes.js";
import { mayHoldLargeInteger } from "./large-integers.js";
import { parseText } from "./parse.js";
import { closeBracket, comma, openBracket } from "./tokens.js";

/**
 * Decodes what stands between a comma and `end` as the elements of an array. Nothing is copied to make a text of it: the
 * brackets stand in the buffer for as long as it takes.
 *
 * @param from - where the comma in front of the first object stands.
 * @param end - a guess at where an object ends; the buffer goes on behind it. A success proves it: brackets that match
 * leave no object half read.
 * @returns `undefined` when these are not objects.
 */
export function decodeObjectSpan(buffer: Buffer, from: number, end: number): object[] | undefined {
  const behind = buffer[end] ?? comma;
  const large = mayHoldLargeInteger(buffer, from, end);
  buffer[from] = openBracket;
  buffer[end] = closeBracket;
  try {
    const objects = parseText(textBetween(buffer, from, end + 1), large) as unknown[];
    return objects.every(isObject) ? objects : undefined;
  } catch {
    return undefined;
  } finally {
    buffer[from] = comma;
    buffer[end] = behind;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
