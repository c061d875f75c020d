import { RE2JS, RE2JSSyntaxException } from "re2js";
import { distinctNames, originalNames } from "./distinct-names.js";
import { javaScriptSource } from "./javascript-source.js";
import { parsePlain } from "./parse-plain.js";
import { isLinear } from "./path-count.js";
import { isAnchored, type PlainPattern } from "./plain-syntax.js";

/** Compiled patterns that are kept; a schema's pattern is compiled once for all values. */
const maxCompiled = 2_000;

const compiled = new Map<string, Re2Pattern | Re2Problem>();

/** A pattern that means what Go's regexp package means by it, and matches in linear time. */
export interface Re2Pattern {
  /** The engine that matches; JavaScript's RegExp only where it is proved linear and equal. */
  readonly engine: "RegExp" | "re2js";
  /** True when a part of the text matches. A lone surrogate counts as U+FFFD. */
  test(text: string): boolean;
}

/** Why a text is not a pattern, in Go's words: "error parsing regexp: missing closing ): `(`". */
export interface Re2Problem {
  readonly problem: string;
}

/** Compiles a pattern of RE2's syntax, as Go's `regexp.Compile` reads it; remembers the last patterns. */
export function compileRe2(pattern: string): Re2Pattern | Re2Problem {
  let result = compiled.get(pattern);
  if (result === undefined) {
    if (compiled.size >= maxCompiled) {
      compiled.clear();
    }
    result = compile(pattern);
    compiled.set(pattern, result);
  }
  return result;
}

function compile(pattern: string): Re2Pattern | Re2Problem {
  const plain = parsePlain(pattern);
  if (plain !== undefined && isLinear(plain)) {
    return nativePattern(plain);
  }
  try {
    const re2 = RE2JS.compile(distinctNames(pattern));
    return { engine: "re2js", test: (text) => re2.test(wellFormed(text)) };
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) {
      const part = originalNames(error.getPattern() ?? "");
      return { problem: `error parsing regexp: ${error.getDescription()}: \`${part}\`` };
    }
    throw error;
  }
}

function nativePattern(plain: PlainPattern): Re2Pattern {
  // Sticky: an anchored pattern is tried at the start alone, whatever the engine makes of its `^`.
  const expression = new RegExp(javaScriptSource(plain), isAnchored(plain) ? "uy" : "u");
  return {
    engine: "RegExp",
    test(text) {
      expression.lastIndex = 0;
      return expression.test(wellFormed(text));
    },
  };
}

/** A text as Go would hold it: each lone surrogate becomes U+FFFD. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
