/** Bytes that structure JSON text. In UTF-8 none of them can be part of another character. */
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const newline = 0x0a;

/**
 * Returns the position of the quote that ends the string at `start`; -1 when it has not arrived yet.
 *
 * @param from - position to search from. The string has no closing quote before it.
 */
export function stringEnd(buffer: Buffer, start: number, from: number = start + 1): number {
  let end = buffer.indexOf(quote, from);
  while (end >= 0) {
    let before = end - 1;
    while (buffer[before] === backslash) {
      before--;
    }
    if ((end - before) % 2 === 1) {
      return end;
    }
    end = buffer.indexOf(quote, end + 1);
  }
  return -1;
}
