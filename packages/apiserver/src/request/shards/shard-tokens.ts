/** A token of an expression; a string without its quotes. */
export interface Token {
  readonly kind: "name" | "number" | "sign" | "text";
  readonly text: string;
}

const pattern =
  /\s*(?:(?<name>[A-Za-z_]\w*)|(?<number>\d+(?:\.\d+)?)|'(?<single>[^'\\\n]*)'|"(?<double>[^"\\\n]*)"|(?<sign>\|\||&&|[=!<>]=|[.,:()[\]{}!<>+\-*/%]))/uy;

/** Splits an expression into tokens; `undefined` when it contains an invalid one. */
export function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  pattern.lastIndex = 0;
  while (pattern.lastIndex < end) {
    const { groups } = pattern.exec(text) ?? {};
    if (groups === undefined) {
      return undefined;
    }
    const { name, number, single, double = "", sign } = groups;
    tokens.push(
      name !== undefined
        ? { kind: "name", text: name }
        : number !== undefined
          ? { kind: "number", text: number }
          : sign !== undefined
            ? { kind: "sign", text: sign }
            : { kind: "text", text: single ?? double },
    );
  }
  return tokens;
}
