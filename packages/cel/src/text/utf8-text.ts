/**
 * Returns the UTF-8 bytes of a text as a string with one character per byte. Go's functions work on bytes; for ASCII both
 * strings are the same.
 */
export function utf8Text(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** Returns the text of UTF-8 bytes that `utf8Text` created; invalid bytes become U+FFFD. */
export function textOfUtf8(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}

/** Returns the text of UTF-8 bytes, `undefined` if they are not valid. */
export function validTextOfUtf8(bytes: string): string | undefined {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(Buffer.from(bytes, "latin1"));
  } catch {
    return undefined;
  }
}
