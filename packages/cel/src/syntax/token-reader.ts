import { binaryOperators } from "./operators.js";
import type { Token, TokenKind } from "./read-tokens.js";

/** Thrown at the first token that does not fit; the rest of the text is not read. */
export class SyntaxProblem extends Error {
  override readonly name = "SyntaxProblem";
  /** Offset of the token in code points. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Reads the tokens of one expression in order. The last token is the end. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Returns the next token, or the one behind it, without reading it. */
  peek(ahead = 0): Token {
    const token = this.#tokens[this.#next + ahead] ?? this.#tokens.at(-1);
    if (token === undefined) {
      throw new RangeError("there are no tokens");
    }
    return token;
  }

  /** Reads the next token. */
  read(): Token {
    const token = this.peek();
    this.#next += 1;
    return token;
  }

  /** Returns true if the next token, or one behind it, is an operator or bracket with this text. */
  isSign(sign: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "operator" && token.text === sign;
  }

  isKind(kind: TokenKind, ahead = 0): boolean {
    return this.peek(ahead).kind === kind;
  }

  /** Reads the next token if it is this operator or bracket. */
  take(sign: string): boolean {
    const found = this.isSign(sign);
    this.#next += found ? 1 : 0;
    return found;
  }

  /** Reads this operator or bracket; anything else is a syntax error. */
  expect(sign: string): void {
    if (!this.take(sign)) {
      this.fail(`'${sign}'`);
    }
  }

  /** Returns the offset behind the last token that was read. */
  end(): number {
    return this.#tokens[this.#next - 1]?.end ?? 0;
  }

  /** Reports the next token as a syntax error. */
  fail(expected?: string): never {
    const { text, start } = this.peek();
    throw new SyntaxProblem(
      expected === undefined
        ? `unexpected input '${text}'`
        : `mismatched input '${text}' expecting ${expected}`,
      start,
    );
  }

  /** Reads the name of a field; an escaped one is returned without its quotes. */
  readFieldName(): string {
    const token = this.peek();
    if (token.kind !== "name" && token.kind !== "escapedName") {
      return this.fail("IDENTIFIER");
    }
    this.read();
    return token.kind === "name" ? token.text : token.text.slice(1, -1);
  }

  /** Returns the number of the next tokens that are the name of a type, if an object follows; else 0. */
  typeNameLength(): number {
    let length = 0;
    while (this.isKind("name", length)) {
      if (this.isSign("{", length + 1)) {
        return length + 1;
      }
      if (!this.isSign(".", length + 1)) {
        return 0;
      }
      length += 2;
    }
    return 0;
  }

  /** Returns true if the next token, a minus, belongs to a number. */
  isNegativeNumber(): boolean {
    return this.isKind("int", 1) || this.isKind("double", 1);
  }

  /** Returns the function of the next token if it is a binary operator of a level; see `binaryOperators`. */
  binaryOperator(level: number): string | undefined {
    const { kind, text } = this.peek();
    const operator = kind === "operator" ? binaryOperators.get(text) : undefined;
    return operator?.level === level ? operator.name : undefined;
  }

  /** Reads items between commas up to a closing bracket; a comma may stand behind the last one */
  readItems(close: "]" | "}", item: () => void): void {
    if (!this.isSign(",") && !this.isSign(close)) {
      item();
      while (this.isSign(",") && !this.isSign(close, 1)) {
        this.read();
        item();
      }
    }
    this.take(",");
    this.expect(close);
  }
}
