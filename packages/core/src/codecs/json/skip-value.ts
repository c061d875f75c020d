import { bytes, end, moveTo, notExpected, position, words } from "./scalars.js";
import { backslash, closeBrace, comma, openBrace, quote } from "./tokens.js";

/** The bit in which `[` and `]` differ from `{` and `}`. */
const braceBit = 0x20;

/**
 * Moves past the value at the current position without building it. Only its strings and brackets are looked at, so an
 * invalid value may be accepted.
 */
export function skipValue(): void {
  const text = bytes;
  const stop = end;
  let depth = 0;
  let at = position;
  while (at < stop) {
    const byte = text[at] as number;
    if (byte === quote) {
      at = endOfString(at + 1);
      if (depth === 0) {
        moveTo(at);
        return;
      }
      continue;
    }
    const brace = byte | braceBit;
    if (brace === openBrace) {
      depth++;
    } else if (brace === closeBrace) {
      if (depth <= 1) {
        // Without depth, it ends the object or array that holds a number or a word.
        moveTo(at + depth);
        return;
      }
      depth--;
    } else if (depth === 0 && byte === comma) {
      moveTo(at);
      return;
    }
    at++;
  }
  throw notExpected;
}

/** Returns the position after the quote that ends a string. Reads four bytes at a time. */
function endOfString(start: number): number {
  const text = bytes;
  const view = words;
  const last = end - 4;
  let at = start;
  while (at < end) {
    if (at <= last) {
      const word = view.getInt32(at, true);
      const quotes = word ^ 0x22222222;
      const backslashes = word ^ 0x5c5c5c5c;
      const found =
        (((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes)) &
        0x80808080;
      if (found === 0) {
        at += 4;
        continue;
      }
      // The lowest bit set belongs to the first such byte.
      at += (31 - Math.clz32(found & -found)) >> 3;
    }
    const byte = text[at];
    if (byte === quote) {
      return at + 1;
    }
    at += byte === backslash ? 2 : 1;
  }
  throw notExpected;
}
