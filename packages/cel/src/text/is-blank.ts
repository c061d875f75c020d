/** Returns true if a text has only spaces, in Go's meaning: U+0085 is one, U+FEFF is not. */
export function isBlank(text: string): boolean {
  return /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/.test(text);
}
