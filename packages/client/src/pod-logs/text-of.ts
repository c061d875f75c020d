/** The method behind `toString("utf8")`, without the search for the encoding that costs as much as a short line. */
interface FastBuffer {
  utf8Slice?(start: number, end: number): string;
}

/** Decodes UTF-8. Bytes that are not UTF-8 become U+FFFD. */
export function textOf(bytes: Buffer & FastBuffer, start: number, end: number): string {
  return bytes.utf8Slice === undefined
    ? bytes.toString("utf8", start, end)
    : bytes.utf8Slice(start, Math.max(start, end));
}
