/** The line breaks of text files; editors on Windows write CRLF. */
export type LineBreak = "\n" | "\r\n";

/** Returns how the first line of a text ends. */
export function lineBreakOf(text: string): LineBreak {
  return /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
}

/** Ends all lines of a text in the same way. */
export function withLineBreaks(text: string, lineBreak: LineBreak): string {
  return text.replace(/\r?\n/g, lineBreak);
}
