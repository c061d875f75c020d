/** `\s` of JavaScript; that of RE2 is ASCII without the vertical tab. */
const space =
  "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
/** `\S` of JavaScript: all other characters. */
const noSpace =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
/** `.` of JavaScript without the flag `s`; that of RE2 stops at line feeds only. */
const noLineEnd = "[^\\n\\r\\x{2028}\\x{2029}]";

/** An escape, the start of a class, or one character. */
const token = /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|[\s\S])|\[\^?|[\s\S]/g;

/**
 * Rewrites the syntax of JavaScript that RE2 reads in another way, so that both match the same texts. Other syntax stays,
 * also that which RE2 does not have.
 *
 * @param dotMatchesAll - true with the flag `s`.
 */
export function withRe2Syntax(source: string, dotMatchesAll: boolean): string {
  // At an end that is not anchored, it matches in any case; zod's startsWith() and endsWith() have it.
  const [, first = "", middle = "", last = ""] =
    /^(\.\*)?([\s\S]*?)((?<!\\)\.\*)?$/.exec(source) ?? [];
  return `${first}${rewritten(middle, dotMatchesAll)}${last}`;
}

function rewritten(source: string, dotMatchesAll: boolean): string {
  let text = "";
  let members: string[] | undefined;
  let start = "";
  for (const [part] of source.matchAll(token)) {
    if (members === undefined) {
      if (part === "[" || part === "[^") {
        [start, members] = [part, []];
      } else {
        text += outside(part, dotMatchesAll);
      }
    } else if (part === "]") {
      text += classOf(start, members);
      members = undefined;
    } else {
      members.push(part);
    }
  }
  return members === undefined ? text : `${text}${start}${members.join("")}`;
}

function outside(part: string, dotMatchesAll: boolean): string {
  switch (part) {
    case ".":
      return dotMatchesAll ? part : noLineEnd;
    case "\\s":
      return `[${space}]`;
    case "\\S":
      return `[^${space}]`;
    default:
      return codePoint(part);
  }
}

function classOf(start: string, members: readonly string[]): string {
  if (members.length === 0) {
    // Any character, and none; RE2 takes the bracket after it as a member.
    return start === "[^" ? "(?s:.)" : "[^\\x{0}-\\x{10ffff}]";
  }
  // Together they are all characters in both languages.
  const hasBoth = members.includes("\\s") && members.includes("\\S");
  return `${start}${members.map((member) => inClass(member, hasBoth)).join("")}]`;
}

function inClass(member: string, hasBoth: boolean): string {
  if (member.startsWith("[")) {
    // RE2 has classes such as [:alpha:].
    return member.replace("[", "\\[");
  }
  if (!hasBoth && (member === "\\s" || member === "\\S")) {
    return member === "\\s" ? space : noSpace;
  }
  return codePoint(member);
}

/** Rewrites `\u0041` and `\u{1f600}`, which RE2 writes as `\x{0041}`. */
function codePoint(part: string): string {
  const [, code] = /^\\u\{?([0-9a-fA-F]+)\}?$/.exec(part) ?? [];
  return code === undefined ? part : `\\x{${code}}`;
}
