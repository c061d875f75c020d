import type { FieldRequirement } from "@typekube/core";
import { badRequest } from "../errors/status-errors.js";

/** Operators in the order in which they are tried at each position. */
const operators = ["!=", "==", "="] as const;

/**
 * Parses a field selector literally: spaces belong to names and values, and values escape `\`, `,` and `=` with a
 * backslash. (apimachinery `fields.ParseSelector`)
 *
 * @throws {StatusError} 400 for a text that is not a field selector.
 */
export function readFieldSelector(selector: string): FieldRequirement[] {
  const terms = splitTerms(selector).filter((term) => term !== "");
  return terms.map((term) => {
    const [at, found] = firstOperator(term);
    if (found === undefined) {
      throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
    }
    const value = unescaped(term.slice(at + found.length));
    return { field: term.slice(0, at), operator: found === "!=" ? "!=" : "=", value };
  });
}

/** Splits at unescaped commas. */
function splitTerms(selector: string): string[] {
  return selector.match(/(?:\\[\s\S]|[^,\\]|\\$)+/g) ?? [];
}

function firstOperator(term: string): [at: number, operator: string | undefined] {
  for (let at = 0; at < term.length; at++) {
    const found = operators.find((operator) => term.startsWith(operator, at));
    if (found !== undefined) {
      return [at, found];
    }
  }
  return [0, undefined];
}

function unescaped(value: string): string {
  return value.replace(/\\([\s\S]?)|[,=]/gu, (text, escaped: string | undefined) => {
    if (escaped === undefined) {
      const code = text.codePointAt(0);
      throw badRequest(`invalid field selector: unescaped character in value: ${code}`);
    }
    if (!["\\", ",", "="].includes(escaped)) {
      throw badRequest(`invalid field selector: invalid escape sequence: ${text}`);
    }
    return escaped;
  });
}
