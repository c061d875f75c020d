import { isUtf8 } from "node:buffer";

const replacement = Buffer.from("\ufffd");

/**
 * Returns the text of bytes that may not be UTF-8, as Go writes it to JSON: each byte that is not part of a character
 * becomes one U+FFFD. Node's decoder, like the web's, replaces a truncated character as a whole by one U+FFFD.
 *
 * @param text - result of Node's decoder for the bytes.
 */
export function repairedText(buffer: Buffer, start: number, end: number, text: string): string {
  const bytes = buffer.subarray(start, end);
  if (isUtf8(bytes)) {
    return text;
  }
  const repaired = Buffer.allocUnsafe(bytes.length * replacement.length);
  let to = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    const valid = length === 0 ? replacement : bytes.subarray(at, at + length);
    for (let i = 0; i < valid.length; i++) {
      repaired[to++] = valid[i] as number;
    }
    at += Math.max(length, 1);
  }
  return repaired.toString("utf8", 0, to);
}

/** Returns the number of bytes of the character at a position; 0 where no character begins (Go's utf8.DecodeRune). */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) {
    return 1;
  }
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  // Surrogates, characters beyond U+10FFFF and overlong forms are not valid.
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] ?? 0;
    if (byte < (i === 1 ? lowest : 0x80) || byte > (i === 1 ? highest : 0xbf)) {
      return 0;
    }
  }
  return length;
}
