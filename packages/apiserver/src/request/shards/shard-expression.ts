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
  let at = 0;
  const peek = () => tokens[at];
  /** Returns whether the next token is a sign; a string with the same text does not count. */
  const isSign = (text: string) => peek()?.kind === "sign" && peek()?.text === text;
  const take = (wanted?: string): Token => {
    const token = tokens[at];
    if (token === undefined || (wanted !== undefined && token.text !== wanted)) {
      throw new NoExpression(`mismatched input '${token?.text ?? "<EOF>"}'`);
    }
    at++;
    return token;
  };
  const list = (end: string, read: () => unknown): Expression[] => {
    const items: Expression[] = [];
    while (!isSign(end)) {
      items.push(read() as Expression);
      if (!isSign(",")) {
        break;
      }
      take(",");
    }
    take(end);
    return items;
  };
  const expression = (level = 0): Expression => {
    const operator = binary[level];
    if (operator === undefined) {
      return unary();
    }
    let left = expression(level + 1);
    while (isSign(operator)) {
      take();
      left = { kind: 1, name: `_${operator}_`, args: [left, expression(level + 1)] };
    }
    return left;
  };
  const unary = (): Expression => {
    if (isSign("!")) {
      take();
      return { kind: 1, name: "!_", args: [unary()] };
    }
    return member(primary());
  };
  const member = (of: Expression): Expression => {
    let found = of;
    for (;;) {
      if (isSign(".")) {
        take();
        const name = take().text;
        if (isSign("(")) {
          take();
          // The receiver of a method call is ignored.
          found = { kind: 1, name, args: list(")", () => expression()) };
        } else {
          found = { kind: 7, of: found, name };
        }
      } else if (isSign("[")) {
        take();
        const index = expression();
        take("]");
        found = { kind: 1, name: "_[_]", args: [found, index] };
      } else {
        return found;
      }
    }
  };
  const primary = (): Expression => {
    const token = take();
    if (token.kind === "text") {
      return { kind: 5, value: token.text, type: "string" };
    }
    if (token.kind === "number") {
      return { kind: 5, value: token.text, type: /[.eE]/.test(token.text) ? "float64" : "int64" };
    }
    if (token.kind === "name") {
      return named(token.text);
    }
    switch (token.text) {
      case "(": {
        const inner = expression();
        take(")");
        return inner;
      }
      case "[":
        list("]", () => expression());
        return { kind: 4 };
      case "{":
        list("}", () => {
          expression();
          take(":");
          return expression();
        });
        return { kind: 6 };
      default:
        throw new NoExpression(`mismatched input '${token.text}'`);
    }
  };
  const named = (name: string): Expression => {
    if (name === "true" || name === "false") {
      return { kind: 5, value: name === "true", type: "bool" };
    }
    if (!isSign("(")) {
      return { kind: 3, name };
    }
    take();
    return { kind: 1, name, args: list(")", () => expression()) };
  };
  const whole = expression();
  const rest = peek();
  if (rest !== undefined) {
    throw new NoExpression(`extraneous input '${rest.text}' expecting <EOF>`);
  }
  return whole;
}
