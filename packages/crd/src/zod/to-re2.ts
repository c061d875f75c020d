import { compileRe2 } from "@typekube/cel/re2";

/** Flags without effect on whether a text matches. */
const harmlessFlags = /[dg]/g;

/** A pattern in the syntax of RE2, or the reason for its refusal. */
export type Re2Pattern = { readonly pattern: string } | { readonly problem: string };

/**
 * Translates a regular expression to RE2, which servers use. Flags become a group of flags where RE2 has the same; code
 * points are written in RE2's form. With the flag `i`, RE2 folds two more characters than JavaScript: the Kelvin sign and
 * the long s.
 */
export function toRe2({ source, flags }: RegExp): Re2Pattern {
  const rest = flags.replace(harmlessFlags, "");
  const inexact = rest.replace(/[isu]/g, "");
  if (inexact !== "") {
    return { problem: `has the flag ${inexact}, which servers do not have` };
  }
  const isAscii = !/[^\x20-\x7e]/.test(source);
  if (rest.includes("i") && !rest.includes("u") && !isAscii) {
    return { problem: "ignores the case of letters beyond ASCII without the flag u" };
  }
  const group = rest.replace("u", "");
  const pattern = `${group === "" ? "" : `(?${group})`}${withCodePoints(source)}`;
  const compiled = compileRe2(pattern);
  return "problem" in compiled ? { problem: `is not RE2: ${compiled.problem}` } : { pattern };
}

/** Rewrites `\u0041` and `\u{1f600}`, which RE2 writes as `\x{0041}`. Other escapes stay, also an escaped backslash. */
function withCodePoints(source: string): string {
  return source.replace(
    /\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|[\s\S])/g,
    (text, braced, four) => {
      const code: unknown = braced ?? four;
      return typeof code === "string" ? `\\x{${code}}` : text;
    },
  );
}
