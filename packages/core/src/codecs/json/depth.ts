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
  if (end - start > uncountedBytes && deeperThan(bytes, start, end, maxDepth)) {
    throw tooDeep("JSON", maxDepth);
  }
}

/** Returns whether the values of a JSON text nest deeper than `maxDepth`. The text need not be valid otherwise. */
export function nestsDeeperThan(text: string, maxDepth: number): boolean {
  // Each level takes at least two characters.
  return (
    text.length > 2 * maxDepth &&
    deeperThan(Buffer.from(text), 0, Buffer.byteLength(text), maxDepth)
  );
}

function deeperThan(bytes: Uint8Array, start: number, end: number, maxDepth: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (inString) {
      if (byte === backslash) {
        at++;
      } else if (byte === quote) {
        inString = false;
      }
    } else if (byte === quote) {
      inString = true;
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
