import { tooDeep } from "../../bytes/bytes.js";
import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from "./tokens.js";

/**
 * Size in bytes up to which depth is not checked. V8 parses without recursion, so such a text is harmless, and the
 * check would cost a sixth of the parsing.
 */
const uncountedBytes = 64 * 1024;

/**
 * Throws `TooLarge` for a text of more than 64 KiB whose values nest deeper than `maxDepth`. The text need not be valid
 * otherwise.
 */
export function assertJsonDepth(
  bytes: Uint8Array,
  start: number,
  end: number,
  maxDepth: number,
): void {
  if (end - start > uncountedBytes && deeperThan(bytes.subarray(start, end), maxDepth)) {
    throw tooDeep("JSON", maxDepth);
  }
}

/** Returns whether the values of a JSON text nest deeper than `maxDepth`. The text need not be valid otherwise. */
export function nestsDeeperThan(text: string, maxDepth: number): boolean {
  // Each level takes at least two characters.
  return text.length > 2 * maxDepth && deeperThan(Buffer.from(text), maxDepth);
}

function deeperThan(bytes: Uint8Array, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      at = closingQuote(bytes, at + 1);
    } else if (byte === openBrace || byte === openBracket) {
      if (++depth > maxDepth) {
        return true;
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--;
    }
  }
  return false;
}

/** Number of bytes of a string after which `indexOf` finds its end faster than a loop. */
const shortString = 32;

/** Returns the position of the quote that ends a string; the length of the text if it does not end. */
function closingQuote(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < start + shortString) {
    const byte = bytes[at];
    if (byte === quote) {
      return at;
    }
    at += byte === backslash ? 2 : 1;
  }
  for (;;) {
    const found = bytes.indexOf(quote, at);
    if (found === -1) {
      return bytes.length;
    }
    let escapes = found;
    while (escapes > at && bytes[escapes - 1] === backslash) {
      escapes--;
    }
    if ((found - escapes) % 2 === 0) {
      return found;
    }
    at = found + 1;
  }
}
