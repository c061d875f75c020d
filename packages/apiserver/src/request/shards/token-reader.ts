import type { Token } from "./shard-tokens.js";

/** Thrown for a text that is not an expression. */
export class NoExpression extends Error {}

/** Tokens and the position of the next one. */
export interface TokenReader {
  readonly tokens: readonly Token[];
  at: number;
}

/** Reads items with commas between them, and the sign after them. */
export function readList<T>(
  reader: TokenReader,
  end: string,
  readItem: (reader: TokenReader) => T,
): T[] {
  const items: T[] = [];
  while (!isSign(reader, end)) {
    items.push(readItem(reader));
    if (!isSign(reader, ",")) {
      break;
    }
    take(reader, ",");
  }
  take(reader, end);
  return items;
}

/** Returns whether the next token is a sign; a string with the same text does not count. */
export function isSign({ tokens, at }: TokenReader, text: string): boolean {
  return tokens[at]?.kind === "sign" && tokens[at]?.text === text;
}

/** Reads the next token, which must have the given text, if any. */
export function take(reader: TokenReader, wanted?: string): Token {
  const token = reader.tokens[reader.at];
  if (token === undefined || (wanted !== undefined && token.text !== wanted)) {
    throw new NoExpression(`mismatched input '${token?.text ?? "<EOF>"}'`);
  }
  reader.at += 1;
  return token;
}
