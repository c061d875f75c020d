import { type Token, tokensOf } from "./shard-tokens.js";

/** An expression of the CEL subset used by shard selectors, with CEL's number for the kind of expression. */
export type Expression =
  | { readonly kind: 1; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 3; readonly name: string }
  | { readonly kind: 4 | 6 }
  | { readonly kind: 5; readonly value: unknown; readonly type: string }
  | { readonly kind: 7; readonly of: Expression; readonly name: string };

/** Thrown for a text that is not an expression. */
export class NoExpression extends Error {}

const binary = ["||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%"];

/** Tokens and the position of the next one. */
interface Reader {
  readonly tokens: readonly Token[];
  at: number;
}

/**
 * Parses a CEL expression of names, fields, calls, strings, numbers and operators.
 *
 * @throws {NoExpression} for anything else.
 */
export function readExpression(text: string): Expression {
  const tokens = tokensOf(text);
  if (tokens === undefined) {
    throw new NoExpression("token recognition error");
  }
  const reader: Reader = { tokens, at: 0 };
  const whole = readOperation(reader);
  const rest = tokens[reader.at];
  if (rest !== undefined) {
    throw new NoExpression(`extraneous input '${rest.text}' expecting <EOF>`);
  }
  return whole;
}

/** Reads a chain of binary operators, from the level of the weakest that may stand here. */
function readOperation(reader: Reader, level = 0): Expression {
  const operator = binary[level];
  if (operator === undefined) {
    return readUnary(reader);
  }
  let left = readOperation(reader, level + 1);
  while (isSign(reader, operator)) {
    take(reader);
    left = { kind: 1, name: `_${operator}_`, args: [left, readOperation(reader, level + 1)] };
  }
  return left;
}

function readUnary(reader: Reader): Expression {
  if (isSign(reader, "!")) {
    take(reader);
    return { kind: 1, name: "!_", args: [readUnary(reader)] };
  }
  return readMembers(reader, readPrimary(reader));
}

/** Reads the fields, method calls and indexes after an expression. */
function readMembers(reader: Reader, of: Expression): Expression {
  let found = of;
  for (;;) {
    if (isSign(reader, ".")) {
      take(reader);
      const name = take(reader).text;
      // The receiver of a method call is ignored.
      found = isSign(reader, "(") ? readCall(reader, name) : { kind: 7, of: found, name };
    } else if (isSign(reader, "[")) {
      take(reader);
      const index = readOperation(reader);
      take(reader, "]");
      found = { kind: 1, name: "_[_]", args: [found, index] };
    } else {
      return found;
    }
  }
}

function readPrimary(reader: Reader): Expression {
  const { kind, text } = take(reader);
  switch (kind) {
    case "text":
      return { kind: 5, value: text, type: "string" };
    case "number":
      return { kind: 5, value: text, type: /[.eE]/.test(text) ? "float64" : "int64" };
    case "name":
      return readNamed(reader, text);
    default:
      return readEnclosed(reader, text);
  }
}

/** Reads a constant, a name or a call. */
function readNamed(reader: Reader, name: string): Expression {
  if (name === "true" || name === "false") {
    return { kind: 5, value: name === "true", type: "bool" };
  }
  return isSign(reader, "(") ? readCall(reader, name) : { kind: 3, name };
}

/** Reads what a sign opens: parentheses, a list or a map. */
function readEnclosed(reader: Reader, sign: string): Expression {
  switch (sign) {
    case "(": {
      const inner = readOperation(reader);
      take(reader, ")");
      return inner;
    }
    case "[":
      readList(reader, "]", readOperation);
      return { kind: 4 };
    case "{":
      readList(reader, "}", readEntry);
      return { kind: 6 };
    default:
      throw new NoExpression(`mismatched input '${sign}'`);
  }
}

/** Reads an entry of a map; returns its value. */
function readEntry(reader: Reader): Expression {
  readOperation(reader);
  take(reader, ":");
  return readOperation(reader);
}

function readCall(reader: Reader, name: string): Expression {
  take(reader, "(");
  return { kind: 1, name, args: readList(reader, ")", readOperation) };
}

/** Reads items with commas between them, and the sign after them. */
function readList(
  reader: Reader,
  end: string,
  readItem: (reader: Reader) => Expression,
): Expression[] {
  const items: Expression[] = [];
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
function isSign({ tokens, at }: Reader, text: string): boolean {
  return tokens[at]?.kind === "sign" && tokens[at]?.text === text;
}

/** Reads the next token, which must have the given text, if any. */
function take(reader: Reader, wanted?: string): Token {
  const token = reader.tokens[reader.at];
  if (token === undefined || (wanted !== undefined && token.text !== wanted)) {
    throw new NoExpression(`mismatched input '${token?.text ?? "<EOF>"}'`);
  }
  reader.at += 1;
  return token;
}
