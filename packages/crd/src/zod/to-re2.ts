import { compileRe2 } from "@typekube/cel/re2";
import { withRe2Syntax } from "./re2-syntax.js";

/** Flags without effect on whether a text matches. */
const harmlessFlags = /[dg]/g;

/** A pattern in the syntax of RE2, or the reason for its refusal. */
export type Re2Pattern = { readonly pattern: string } | { readonly problem: string };

/**
 * Translates a regular expression to RE2, which servers use. Flags become a group of flags where RE2 has the same; code
 * points, `.`, `\s` and `\S` are written so that RE2 matches what JavaScript does. With the flag `i`, RE2 folds two more characters than JavaScript: the Kelvin sign and
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
  const pattern = `${group === "" ? "" : `(?${group})`}${withRe2Syntax(source, rest.includes("s"))}`;
  const compiled = compileRe2(pattern);
  return "problem" in compiled ? { problem: `is not RE2: ${compiled.problem}` } : { pattern };
}
