import { ClassReader, withPlainBrackets } from "./class-reader.js";

/** Suffix of the second and later groups of one name; no real pattern contains it. */
const mark = "__repeated_name_";
const markedName = new RegExp(`${mark}\\d+`, "g");
const namedGroup = /\(\?P?<(\w+)>/y;

/**
 * Makes the names of groups distinct. Go allows duplicate names, re2js does not; the names don't affect what the
 * pattern matches.
 */
export function distinctNames(pattern: string): string {
  const seen = new Set<string>();
  const classes = new ClassReader(pattern);
  let distinct = "";
  for (let at = 0; at < pattern.length; ) {
    namedGroup.lastIndex = at;
    const [opening, name = ""] = namedGroup.exec(pattern) ?? [];
    if (opening === undefined && pattern[at] === "[") {
      const { end, source } = classes.read(at);
      distinct += source;
      at = end;
      continue;
    }
    const end = opening === undefined ? endOfPart(pattern, at) : at + opening.length;
    const part = pattern.slice(at, end);
    if (opening === undefined) {
      distinct += part;
    } else {
      distinct += seen.has(name) ? `${part.slice(0, -1)}${mark}${at}>` : part;
      seen.add(name);
    }
    at = end;
  }
  return distinct;
}

/** Removes the suffixes of `distinctNames` from a message. */
export function originalNames(message: string): string {
  return withPlainBrackets(message.replace(markedName, ""));
}

/** Returns the end of a quoted part, an escape or a single character; `(?P<` does not open a group inside them. */
function endOfPart(pattern: string, at: number): number {
  if (pattern.startsWith("\\Q", at)) {
    const end = pattern.indexOf("\\E", at + 2);
    return end < 0 ? pattern.length : end + 2;
  }
  return pattern[at] === "\\" ? at + 2 : at + 1;
}
