const known = new Map<string, RegExp>();

/**
 * Returns the regular expression of a pattern of paths: `*` matches any characters but `/`, `**` any characters, `?` one
 * character. A pattern without `/` matches the last component.
 */
export function pathPattern(pattern: string): RegExp {
  let compiled = known.get(pattern);
  if (compiled === undefined) {
    const source = pattern
      .replace(/^\.\//, "")
      .split(/(\*\*\/?|\*|\?)/)
      .map((part) => forms[part] ?? part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      .join("");
    compiled = new RegExp(pattern.includes("/") ? `^(?:\\./)?${source}$` : `(?:^|/)${source}$`);
    known.set(pattern, compiled);
  }
  return compiled;
}

const forms: Readonly<Record<string, string>> = {
  "**": ".*",
  "**/": "(?:.*/)?",
  "*": "[^/]*",
  "?": "[^/]",
};
