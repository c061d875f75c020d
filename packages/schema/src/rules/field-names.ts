const reserved: ReadonlySet<string> = new Set([
  "true",
  "false",
  "null",
  "in",
  "as",
  "break",
  "const",
  "continue",
  "else",
  "for",
  "function",
  "if",
  "import",
  "let",
  "loop",
  "package",
  "namespace",
  "return",
  "var",
  "void",
  "while",
]);

const escapes: ReadonlyMap<string, string> = new Map([
  ["__", "__underscores__"],
  [".", "__dot__"],
  ["-", "__dash__"],
  ["/", "__slash__"],
]);

const unescapes: ReadonlyMap<string, string> = new Map(
  [...escapes].map(([text, escaped]) => [escaped, text]),
);

/** Returns true for a word of CEL that cannot name a variable. */
export function isReservedWord(word: string): boolean {
  return reserved.has(word);
}

/**
 * Returns the name by which a rule reaches a field: `a-b` is `a__dash__b`, `namespace` is `__namespace__`.
 *
 * @returns `undefined` for a field that rules cannot reach, for example `a b` or `1a`.
 */
export function escapeFieldName(name: string): string | undefined {
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) {
    return undefined;
  }
  return reserved.has(name)
    ? `__${name}__`
    : name.replace(/__|[-./]/g, (text) => escapes.get(text) ?? text);
}

/** Returns the field that a name in a rule stands for, `undefined` if its escapes are wrong. */
export function unescapeFieldName(escaped: string): string | undefined {
  let valid = true;
  const name = escaped.replace(/__[^_]+__/g, (part) => {
    const word = part.slice(2, -2);
    const text = unescapes.get(part) ?? (reserved.has(word) ? word : undefined);
    valid &&= text !== undefined && !(reserved.has(word) && part !== escaped);
    return text ?? "";
  });
  return valid ? name : undefined;
}
