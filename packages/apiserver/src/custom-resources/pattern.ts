const known = new Map<string, RegExp | undefined>();
/** How many compiled patterns are kept. */
const maxKnown = 1_000;

/** A pattern in Go's notation as a regular expression; `undefined` when it is none. */
export function compilePattern(pattern: string): RegExp | undefined {
  if (!known.has(pattern)) {
    if (known.size >= maxKnown) {
      known.clear();
    }
    known.set(pattern, compile(pattern));
  }
  return known.get(pattern);
}

function compile(pattern: string): RegExp | undefined {
  const [prefix = "", flags = ""] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const body = pattern
    .slice(prefix.length)
    .replaceAll("\\A", "^")
    .replaceAll("\\z", "$")
    .replaceAll("(?P<", "(?<");
  for (const more of ["u", ""]) {
    try {
      return new RegExp(body, `${flags}${more}`);
    } catch {
      // Go takes escapes that are mistakes in the stricter notation.
    }
  }
  return undefined;
}
