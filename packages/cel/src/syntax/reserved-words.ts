const reserved: ReadonlySet<string> = new Set([
  "as",
  "break",
  "const",
  "continue",
  "else",
  "false",
  "for",
  "function",
  "if",
  "import",
  "in",
  "let",
  "loop",
  "namespace",
  "null",
  "package",
  "return",
  "true",
  "var",
  "void",
  "while",
]);

/** Returns true for a word that cannot name a variable or a function. Fields can have it as their name. */
export function isReserved(word: string): boolean {
  return reserved.has(word);
}
