/** Returns a text without white space at both ends, as Go's `strings.TrimSpace`. */
export function trimSpace(text: string): string {
  // JavaScript's own `trim` leaves U+0085 and removes U+FEFF, which is not white space in Unicode. The expression is slow to
  // create, so it stands here: programs that trim nothing never create it.
  const whiteSpace = /\p{White_Space}/u;
  let start = 0;
  let end = text.length;
  // All white space has one UTF-16 unit. A loop, since `\s+$` takes quadratic time.
  while (start < end && whiteSpace.test(text.charAt(start))) {
    start += 1;
  }
  while (end > start && whiteSpace.test(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(start, end);
}
