/** Line breaks of text files; editors on Windows write CRLF. */
export type LineBreak = "\n" | "\r\n";

/** Returns the line break of the first line of a text. */
export function lineBreakOf(text: string): LineBreak {
  return /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
}

/** Converts all line breaks of a text. */
export function withLineBreaks(text: string, lineBreak: LineBreak): string {
  return text.replace(/\r?\n/g, lineBreak);
}
