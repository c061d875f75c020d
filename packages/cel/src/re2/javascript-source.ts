import type { PlainPattern } from "./plain-syntax.js";
import type { RuneSet } from "./rune-set.js";

/** Formats a plain pattern as the source of a RegExp with the flag `u`. */
export function javaScriptSource(pattern: PlainPattern): string {
  switch (pattern.kind) {
    case "set":
      return classSource(pattern.set);
    case "start":
      return "^";
    case "end":
      return "$";
    case "sequence":
      return pattern.parts.map(javaScriptSource).join("");
    case "choice":
      return `(?:${pattern.parts.map(javaScriptSource).join("|")})`;
    case "repeat": {
      const { body, min, max, isLazy } = pattern;
      const bounds = max === min ? `{${min}}` : `{${min},${Number.isFinite(max) ? max : ""}}`;
      const source = javaScriptSource(body);
      const group = body.kind === "sequence" || body.kind === "repeat" ? `(?:${source})` : source;
      return `${group}${bounds}${isLazy ? "?" : ""}`;
    }
  }
}

function classSource(set: RuneSet): string {
  const rune = (code: number) => `\\u{${code.toString(16)}}`;
  const ranges = set.map(([low, high]) =>
    low === high ? rune(low) : `${rune(low)}-${rune(high)}`,
  );
  return `[${ranges.join("")}]`;
}
