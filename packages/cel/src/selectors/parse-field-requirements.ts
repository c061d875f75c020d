import type { FieldRequirement } from "@typekube/core/internal/texts";
import { compareText } from "../values/code-points.js";
import { SelectorProblem } from "./selector-problem.js";

/**
 * Parses a field selector as apimachinery's `fields.ParseSelector` does. It takes more than the parser for clients: an
 * empty field, spaces in a field.
 *
 * @throws {SelectorProblem} with apimachinery's message.
 */
export function parseFieldRequirements(text: string): FieldRequirement[] {
  const requirements = splitTerms(text)
    .filter((term) => term !== "")
    .sort(compareText)
    .map((term): FieldRequirement => {
      const [operator] = /!=|==?/.exec(term) ?? [];
      if (operator === undefined) {
        throw new SelectorProblem(`invalid selector: '${text}'; can't understand '${term}'`);
      }
      const at = term.indexOf(operator);
      return {
        field: term.slice(0, at),
        operator: operator === "!=" ? "!=" : "=",
        value: unescaped(term.slice(at + operator.length)),
      };
    });
  // A bare operator selects everything.
  return requirements.filter(({ field, value }) => field !== "" || value !== "");
}

/** Splits at commas without a backslash in front of them. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  let isEscaped = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === "," && !isEscaped) {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
    isEscaped = character === "\\" && !isEscaped;
  }
  return [...terms, text.slice(start)];
}

function unescaped(value: string): string {
  let plain = "";
  let isEscaped = false;
  for (const character of value) {
    const isSpecial = character === "\\" || character === "," || character === "=";
    if (isEscaped && !isSpecial) {
      throw invalidEscape(character);
    }
    if (!isEscaped && isSpecial && character !== "\\") {
      const code = character.charCodeAt(0);
      throw new SelectorProblem(`invalid field selector: unescaped character in value: ${code}`);
    }
    isEscaped = character === "\\" && !isEscaped;
    plain += isEscaped ? "" : character;
  }
  if (isEscaped) {
    throw invalidEscape("");
  }
  return plain;
}

function invalidEscape(character: string): SelectorProblem {
  return new SelectorProblem(`invalid field selector: invalid escape sequence: \\${character}`);
}
