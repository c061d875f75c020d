/** Returns the number of bytes of a string in UTF-8; a lone surrogate counts as U+FFFD, three bytes. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      continue;
    }
    if (unit < 0x800) {
      length += 1;
    } else if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      // Two units, four bytes.
      length += 2;
      index += 1;
    } else {
      length += 2;
    }
  }
  return length;
}
