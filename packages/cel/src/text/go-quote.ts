import { validTextOfUtf8 } from "./utf8-text.js";

const short: ReadonlyMap<string, string> = new Map([
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

/** Returns a text between double quotes as Go's `%q` writes it in error messages. */
export function goQuote(text: string): string {
  return `"${escaped(text)}"`;
}

/** Same for UTF-8 bytes (`utf8Text`) that may have been cut inside a character. */
export function goQuoteUtf8(bytes: string): string {
  const text = validTextOfUtf8(bytes);
  return text === undefined ? `"${escapedBytes(bytes)}"` : goQuote(text);
}

/** Not a literal: Node parses those when it reads the file, and this one takes a millisecond. */
const specialSource = String.raw`[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|["\\]`;
let special: RegExp | undefined;

function escaped(text: string): string {
  special ??= new RegExp(specialSource, "gu");
  return text.replace(special, (character) => short.get(character) ?? codeOf(character));
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) {
    return byteEscape(code);
  }
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, "0")}`
    : `\\U${code.toString(16).padStart(8, "0")}`;
}

/** Escapes the bytes that belong to no character. */
function escapedBytes(bytes: string): string {
  let quoted = "";
  for (let index = 0; index < bytes.length; ) {
    const first = bytes.charCodeAt(index);
    const sequence = bytes.slice(index, index + sequenceLength(first));
    const text = validTextOfUtf8(sequence);
    quoted += text === undefined ? byteEscape(first) : escaped(text);
    index += text === undefined ? 1 : sequence.length;
  }
  return quoted;
}

/** Returns the number of bytes of a character by its first byte. */
function sequenceLength(first: number): number {
  return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

function byteEscape(code: number): string {
  return `\\x${code.toString(16).padStart(2, "0")}`;
}
