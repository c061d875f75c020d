import { cause } from "@typekube/core/internal/field-errors";
import { trimSpace } from "@typekube/core/internal/texts";
import type { PolicyVariable } from "../expressions/policy-expressions.js";
import type { ExpressionChecker } from "./check-expressions.js";

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/;

/** Words that CEL keeps for itself, so that no variable can have such a name. */
const reserved: ReadonlySet<string> = new Set(
  "as break const continue else false for function if import in let loop namespace null package return true var void while".split(
    " ",
  ),
);

/** Checks the variables of a policy: their names and expressions. */
export function checkVariables(
  variables: readonly PolicyVariable[],
  checker: ExpressionChecker,
  path: string,
): void {
  for (const [at, { name, expression }] of variables.entries()) {
    const place = `${path}[${at}]`;
    if (trimSpace(name) === "") {
      checker.causes.push(cause.required(`${place}.name`, "name is not specified"));
    } else if (!identifier.test(name) || reserved.has(name)) {
      checker.causes.push(cause.invalid(`${place}.name`, name, "must be a valid CEL identifier"));
    }
    if (trimSpace(expression) === "") {
      checker.causes.push(cause.required(`${place}.expression`, "expression is not specified"));
    } else {
      checker.checkVariable(name, expression, `${place}.expression`);
    }
  }
}
