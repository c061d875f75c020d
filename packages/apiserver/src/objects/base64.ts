const digit = /[A-Za-z0-9+/]/;

/**
 * Returns the position at which text is not valid base64, as reported by Go's decoder; `undefined` for valid text. Line
 * ends are ignored.
 */
export function illegalBase64At(text: string): number | undefined {
  let digits = 0;
  let at = afterLineEnds(text, 0);
  for (; at < text.length && digit.test(text.charAt(at)); at = afterLineEnds(text, at + 1)) {
    digits++;
  }
  const rest = digits % 4;
  if (at === text.length) {
    return rest === 0 ? undefined : at - rest;
  }
  if (text[at] !== "=" || rest < 2) {
    return at;
  }
  let next = afterLineEnds(text, at + 1);
  if (rest === 2) {
    if (next === text.length) {
      return next;
    }
    if (text[next] !== "=") {
      return next - 1;
    }
    next = afterLineEnds(text, next + 1);
  }
  return next === text.length ? undefined : next;
}

function afterLineEnds(text: string, from: number): number {
  let at = from;
  while (text[at] === "\n" || text[at] === "\r") {
    at++;
  }
  return at;
}
