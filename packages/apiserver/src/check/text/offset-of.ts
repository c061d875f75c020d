/** Returns the offset of a line and column of a text, both from 1; `undefined` beyond its end. A byte order mark does not count. */
export function offsetOf(text: string, line: number, column: number): number | undefined {
  const breaks = /\r\n|\n|\r/g;
  for (let left = line - 1; left > 0; left--) {
    if (breaks.exec(text) === null) {
      return undefined;
    }
  }
  const start = line > 1 ? breaks.lastIndex : text.startsWith("\ufeff") ? 1 : 0;
  const at = start + column - 1;
  return at <= text.length ? at : undefined;
}
