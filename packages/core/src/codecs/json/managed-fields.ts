import { textBetween } from "../../bytes/bytes.js";
import type { DecodeOptions } from "../codec.js";
import type { ObjectRange } from "./object-range.js";
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from "./tokens.js";

/** Without its first quote: a native search looks for the first byte first, and quotes are frequent. */
const keyBehindQuote = Buffer.from('managedFields":[{');

/**
 * Returns the range of `managedFields`, including its comma, in compact text between two positions, if it belongs to
 * the object that `path` leads to. `undefined` when that object has no managedFields, or when finding them needs a
 * parser.
 *
 * The end is a guess: the next `}]`. The caller must parse the remaining text and treat a failure as a wrong guess. A
 * success confirms the guess: a cut that ends deeper leaves unbalanced brackets, and one that ends inside a string
 * leaves an odd number of quotes.
 */
export function managedFieldsCut(
  buffer: Buffer,
  start: number,
  end: number,
  path: readonly string[],
): ObjectRange | undefined {
  const text = buffer.subarray(start, end);
  const at = text.indexOf(keyBehindQuote) - 1;
  if (at < 0 || text[at] !== quote) {
    return undefined;
  }
  // The entries of managers contain no arrays, and a bracket inside a name usually follows a quote.
  let close = text.indexOf(closeBracket, at + keyBehindQuote.length);
  while (close >= 0 && text[close - 1] !== closeBrace) {
    close = text.indexOf(closeBracket, close + 1);
  }
  if (close < 0 || !standsIn(text, at, path)) {
    return undefined;
  }
  const behind = close + 1;
  if (text[at - 1] === comma) {
    return { start: start + at - 1, end: start + behind };
  }
  return { start: start + at, end: start + behind + (text[behind] === comma ? 1 : 0) };
}

/** Returns whether the key at `at` belongs to the object that `path` leads to from the outermost one. */
function standsIn(text: Buffer, at: number, path: readonly string[]): boolean {
  let depth = 0;
  // Depth up to which the enclosing objects are those of the path.
  let onPath = 0;
  for (let position = 0; position < at; position++) {
    const byte = text[position];
    if (byte === quote) {
      const start = position + 1;
      // Byte by byte: the strings are short, and calling a native search would cost more than it saves.
      for (position++; position < at && text[position] !== quote; position++) {
        if (text[position] === backslash) {
          position++;
        }
      }
      if (position >= at) {
        return false;
      }
      if (depth <= path.length && text[position + 1] === colon && depth - 1 <= onPath) {
        const name = path[depth - 1] ?? "";
        const isStep =
          position - start === name.length && textBetween(text, start, position) === name;
        onPath = isStep ? depth : depth - 1;
      }
    } else if (byte === openBrace || byte === openBracket) {
      depth++;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--;
    }
  }
  return depth === path.length + 1 && onPath === path.length;
}

/** Drops `metadata.managedFields` of an object, or of each item of a list, when the options exclude it. */
export function withoutManagedFields(
  value: unknown,
  { managedFields = true }: DecodeOptions,
): unknown {
  if (!managedFields) {
    dropManagedFields(value);
    const { items } = (value ?? {}) as { items?: unknown };
    if (Array.isArray(items)) {
      items.forEach(dropManagedFields);
    }
  }
  return value;
}

/** Drops `metadata.managedFields` of one object. */
export function dropManagedFields(object: unknown): void {
  const holder = object as { metadata?: unknown } | null;
  const metadata = holder?.metadata;
  if (typeof metadata === "object" && metadata !== null && "managedFields" in metadata) {
    // A copy, because `delete` would leave the object in V8's dictionary mode, a third larger.
    const { managedFields: _, ...rest } = metadata;
    (holder as { metadata?: unknown }).metadata = rest;
  }
}
