/**
 * Returns the UTF-8 bytes of a text as a string with one character per byte. Go's functions work on bytes; for ASCII both
 * strings are the same.
 */
export function utf8Text(text: string): string {
  return isAscii(text)
    ? text
    : Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Returns the text of UTF-8 bytes that `utf8Text` created; invalid bytes become U+FFFD. */
export function textOfUtf8(bytes: string): string {
  return isAscii(bytes)
    ? bytes
    : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytesOf(bytes));
}

/** Returns the character of a UTF-8 sequence, `undefined` if the sequence is not exactly one character. */
export function characterOfUtf8(sequence: string): string | undefined {
  try {
    const options = { fatal: true, ignoreBOM: true };
    return new TextDecoder("utf-8", options).decode(bytesOf(sequence));
  } catch {
    return undefined;
  }
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x7f) {
      return false;
    }
  }
  return true;
}
