import type { CelSource } from "./cel-source.js";
import type { ProblemList } from "./compile-problem.js";

/** The kinds of tokens. The words `in`, `true`, `false` and `null` are operators or constants, never names. */
export type TokenKind =
  | "bytes"
  | "constant"
  | "double"
  | "end"
  | "escapedName"
  | "int"
  | "name"
  | "operator"
  | "string"
  | "uint";

/** A word, number, literal or sign of the text. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Offset in code points of the first character. */
  readonly start: number;
  /** Offset in code points behind the last character. */
  readonly end: number;
}

const blank = /(?:[ \t\r\n\f]+|\/\/[^\n]*)+/y;

const token = new RegExp(
  [
    String.raw`(?<double>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)`,
    String.raw`(?<uint>(?:0x[0-9a-fA-F]+|\d+)[uU])`,
    String.raw`(?<int>0x[0-9a-fA-F]+|\d+)`,
    `(?<quote>[bB]?[rR]?(?:'''|"""|'|"))`,
    "(?<name>[A-Za-z_][A-Za-z0-9_]*)",
    String.raw`(?<escapedName>\x60[A-Za-z0-9_.\-/ ]+\x60)`,
    String.raw`(?<operator>==|!=|<=|>=|&&|\|\||[-<>[\]{}().,!?:+*/%])`,
  ].join("|"),
  "y",
);

const escapeSequence = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;

/** The rest of a literal behind its opening quotes, by whether it is raw and by the quotes. */
const endings: ReadonlyMap<string, RegExp> = new Map(
  ["'", '"', "'''", '"""'].flatMap((quotes): [string, RegExp][] => {
    const short = quotes.length === 1;
    const plain = short ? String.raw`[^\\${quotes}\n\r]` : String.raw`[^\\]`;
    const rawPlain = short ? String.raw`[^${quotes}\n\r]` : String.raw`[\s\S]`;
    return [
      [quotes, new RegExp(`(?:${escapeSequence}|${plain})*?${quotes}`, "y")],
      [`r${quotes}`, new RegExp(`${rawPlain}*?${quotes}`, "y")],
    ];
  }),
);

/** Splits the text into tokens. A character that starts no token is a problem. The last token is the end. */
export function readTokens(source: CelSource, problems: ProblemList): readonly Token[] {
  const { text } = source;
  const tokens: Token[] = [];
  let index = skip(text, 0);
  while (index < text.length) {
    const found = tokenAt(text, index);
    if (found === undefined) {
      const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
      problems.addSyntaxError(source.offset(index), `token recognition error at: '${character}'`);
      // As cel-go does, the rest is read without the character: an error before it comes first.
      index = skip(text, index + character.length);
      continue;
    }
    const end = index + found.length;
    const content = text.slice(index, end);
    const start = source.offset(index);
    tokens.push({ kind: found.kind, text: content, start, end: source.offset(end) });
    index = skip(text, end);
  }
  tokens.push({ kind: "end", text: "<EOF>", start: source.length, end: source.length });
  return tokens;
}

function skip(text: string, index: number): number {
  blank.lastIndex = index;
  return blank.test(text) ? blank.lastIndex : index;
}

function tokenAt(text: string, index: number): { kind: TokenKind; length: number } | undefined {
  token.lastIndex = index;
  const match = token.exec(text);
  if (match?.groups === undefined) {
    return undefined;
  }
  const [all] = match;
  const { quote, name, double, uint, int, escapedName } = match.groups;
  if (quote !== undefined) {
    return literalAt(text, index, quote);
  }
  if (name !== undefined) {
    return { kind: kindOfName(name), length: all.length };
  }
  const kind =
    double !== undefined
      ? "double"
      : uint !== undefined
        ? "uint"
        : int !== undefined
          ? "int"
          : escapedName !== undefined
            ? "escapedName"
            : "operator";
  return { kind, length: all.length };
}

function kindOfName(name: string): TokenKind {
  if (name === "in") {
    return "operator";
  }
  return name === "true" || name === "false" || name === "null" ? "constant" : "name";
}

/** Finds the end of a literal; `opening` is its prefix and quotes. */
function literalAt(
  text: string,
  index: number,
  opening: string,
): { kind: TokenKind; length: number } | undefined {
  const lower = opening.toLowerCase();
  const bytes = lower.startsWith("b");
  const ending = endings.get(bytes ? lower.slice(1) : lower);
  if (ending === undefined) {
    return undefined;
  }
  ending.lastIndex = index + opening.length;
  if (ending.test(text)) {
    return { kind: bytes ? "bytes" : "string", length: ending.lastIndex - index };
  }
  // `''` and `""` at the end of the text look like the start of three quotes.
  const short = opening.length > 2 ? text.slice(index).match(/^[bB]?[rR]?(?:''|"")/) : null;
  return short === null ? undefined : { kind: bytes ? "bytes" : "string", length: short[0].length };
}
