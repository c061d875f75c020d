import { bytes, end, endOfPlainText, moveTo, notExpected, position } from "./scalars.js";
import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  openBrace,
  openBracket,
  quote,
} from "./tokens.js";

/**
 * Moves past the value at the current position without building it. Only its strings and brackets are looked at, so an
 * invalid value may be accepted.
 */
export function skipValue(): void {
  let depth = 0;
  for (let at = position; at < end; ) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(at + 1);
      if (depth === 0) {
        moveTo(at);
        return;
      }
      continue;
    }
    if (byte === openBrace || byte === openBracket) {
      depth++;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) {
        // The end of the object or array that holds a number or a word.
        moveTo(at);
        return;
      }
      if (--depth === 0) {
        moveTo(at + 1);
        return;
      }
    } else if (byte === comma && depth === 0) {
      moveTo(at);
      return;
    }
    at++;
  }
  throw notExpected;
}

/** Returns the position after the quote that ends a string. */
function endOfString(start: number): number {
  let at = start;
  for (;;) {
    at = endOfPlainText(at);
    const byte = bytes[at];
    if (byte === quote) {
      return at + 1;
    }
    at += byte === backslash ? 2 : 1;
    if (at >= end) {
      throw notExpected;
    }
  }
}
