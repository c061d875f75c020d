/** Returns the number of code points; a lone surrogate counts as one. */
export function codePointCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    // A pair is a high surrogate (D800 to DBFF) followed by a low one (DC00 to DFFF).
    if (
      (text.charCodeAt(index) & 0xfc00) === 0xd800 &&
      (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
    ) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

/** Returns true if every code point takes one position, so that offsets of JavaScript are offsets of CEL. */
export function isNarrow(text: string): boolean {
  return !/[\ud800-\udbff][\udc00-\udfff]/.test(text);
}

/** Compares two strings by code points; UTF-16 order differs above U+FFFF. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) {
      return order(left) - order(right);
    }
  }
  return a.length - b.length;
}

/** Moves surrogates, which stand for code points above U+FFFF, behind all other code units. */
function order(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
