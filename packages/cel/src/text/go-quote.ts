import { characterOfUtf8 } from "./utf8-text.js";

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
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Returns a text between double quotes as Go's `%q` writes it in error messages. */
export function goQuote(text: string): string {
  return `"${Array.from(text, escaped).join("")}"`;
}

/** Same for UTF-8 bytes (`utf8Text`) that may have been cut inside a character. */
export function goQuoteUtf8(bytes: string): string {
  let quoted = "";
  for (let index = 0; index < bytes.length; ) {
    const sequence = bytes.slice(index, index + sequenceLength(bytes.charCodeAt(index)));
    const character = characterOfUtf8(sequence);
    quoted += character === undefined ? byteEscape(bytes.charCodeAt(index)) : escaped(character);
    index += character === undefined ? 1 : sequence.length;
  }
  return `"${quoted}"`;
}

/** Returns the number of bytes of a character by its first byte. */
function sequenceLength(first: number): number {
  return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

function escaped(character: string): string {
  const known = short.get(character);
  if (known !== undefined) {
    return known;
  }
  if (printable.test(character)) {
    return character;
  }
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) {
    return byteEscape(code);
  }
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, "0")}`
    : `\\U${code.toString(16).padStart(8, "0")}`;
}

function byteEscape(code: number): string {
  return `\\x${code.toString(16).padStart(2, "0")}`;
}
