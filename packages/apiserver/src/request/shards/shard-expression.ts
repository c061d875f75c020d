import { tokensOf } from "./shard-tokens.js";
import { isSign, NoExpression, readList, type TokenReader, take } from "./token-reader.js";

/** An expression of the CEL subset used by shard selectors, with CEL's number for the kind of expression. */
export type Expression =
  | { readonly kind: 1; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 3; readonly name: string }
  | { readonly kind: 4 | 6 }
  | { readonly kind: 5; readonly value: unknown; readonly type: string }
  | { readonly kind: 7; readonly of: Expression; readonly name: string };

const binary = ["||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%"];

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
  const reader: TokenReader = { tokens, at: 0 };
  const whole = readOperation(reader);
  const rest = tokens[reader.at];
  if (rest !== undefined) {
    throw new NoExpression(`extraneous input '${rest.text}' expecting <EOF>`);
  }
  return whole;
}

/** Reads a chain of binary operators, from the level of the weakest that may stand here. */
function readOperation(reader: TokenReader, level = 0): Expression {
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

function readUnary(reader: TokenReader): Expression {
  if (isSign(reader, "!")) {
    take(reader);
    return { kind: 1, name: "!_", args: [readUnary(reader)] };
  }
  return readMembers(reader, readPrimary(reader));
}

/** Reads the fields, method calls and indexes after an expression. */
function readMembers(reader: TokenReader, of: Expression): Expression {
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

function readPrimary(reader: TokenReader): Expression {
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
function readNamed(reader: TokenReader, name: string): Expression {
  if (name === "true" || name === "false") {
    return { kind: 5, value: name === "true", type: "bool" };
  }
  return isSign(reader, "(") ? readCall(reader, name) : { kind: 3, name };
}

/** Reads what a sign opens: parentheses, a list or a map. */
function readEnclosed(reader: TokenReader, sign: string): Expression {
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
function readEntry(reader: TokenReader): Expression {
  readOperation(reader);
  take(reader, ":");
  return readOperation(reader);
}

function readCall(reader: TokenReader, name: string): Expression {
  take(reader, "(");
  return { kind: 1, name, args: readList(reader, ")", readOperation) };
}
