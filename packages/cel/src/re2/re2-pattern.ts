import { RE2JS, RE2JSSyntaxException } from "re2js";
import { distinctNames, originalNames } from "./distinct-names.js";
import { findAll, type Search } from "./find-all.js";
import { javaScriptSource } from "./javascript-source.js";
import { parsePlain } from "./parse-plain.js";
import { isLinear } from "./path-count.js";
import { isAnchored, type PlainPattern } from "./plain-syntax.js";

/** Maximum number of cached patterns; a schema's pattern is compiled once for all values. */
const maxCompiled = 2_000;

const compiled = new Map<string, Re2Pattern | Re2Problem>();

/** A pattern with the semantics of Go's regexp package that matches in linear time. */
export interface Re2Pattern {
  /** The engine; JavaScript's RegExp only for patterns proven to be linear and equivalent. */
  readonly engine: "RegExp" | "re2js";
  /** Returns true when a part of the text matches. A lone surrogate counts as U+FFFD. */
  test(text: string): boolean;
  /** Returns the first part of the text that matches: of those that begin first, the one that a backtracking engine finds. */
  find(text: string): string | undefined;
  /** Returns the parts that match, from left to right and without overlaps, at most `limit` unless it is negative. */
  findAll(text: string, limit: number): string[];
}

/** A syntax error with Go's message: "error parsing regexp: missing closing ): `(`". */
export interface Re2Problem {
  readonly problem: string;
}

/** Compiles a pattern in RE2 syntax like Go's `regexp.Compile`; caches recent patterns. */
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
    const search: Search = (text, from) => {
      const matcher = re2.matcher(text);
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
    };
    return {
      engine: "re2js",
      test: (text) => re2.test(wellFormed(text)),
      ...finders(search),
    };
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) {
      const part = originalNames(error.getPattern() ?? "");
      return { problem: `error parsing regexp: ${error.getDescription()}: \`${part}\`` };
    }
    throw error;
  }
}

function nativePattern(plain: PlainPattern): Re2Pattern {
  // The sticky flag limits an anchored pattern to one attempt at the start, even if the engine does not optimize `^`.
  const expression = new RegExp(javaScriptSource(plain), isAnchored(plain) ? "uy" : "ug");
  const search: Search = (text, from) => {
    expression.lastIndex = from;
    const match = expression.exec(text);
    return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
  };
  return {
    engine: "RegExp",
    test(text) {
      expression.lastIndex = 0;
      return expression.test(wellFormed(text));
    },
    ...finders(search),
  };
}

function finders(search: Search): Pick<Re2Pattern, "find" | "findAll"> {
  return {
    find(text) {
      const searched = wellFormed(text);
      const match = search(searched, 0);
      return match && searched.slice(match.start, match.end);
    },
    findAll: (text, limit) => findAll(search, wellFormed(text), limit),
  };
}

/** Replaces each lone surrogate by U+FFFD, as Go does. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, "\ufffd");
}
