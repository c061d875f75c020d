import { compileRe2 } from "../re2/index.js";
import type { ProblemList } from "../syntax/compile-problem.js";
import type { Call, Expression } from "../syntax/expression.js";
import { visit } from "../syntax/visit.js";
import { CelFailure } from "../values/cel-failure.js";
import type { CelType } from "../values/cel-type.js";
import { isSameType } from "../values/cel-type.js";
import { readDuration, readTimestamp } from "../values/read-time.js";
import { checkErrors } from "./check-errors.js";
import { type CheckedExpression, typeOfNode } from "./checked-expression.js";

/**
 * Checks what Kubernetes checks from 1.29 on: constants given to `duration`, `timestamp` and `matches`, and that the
 * elements of a list or map have one type, where dyn is a type of its own.
 */
export function validateLiterals(checked: CheckedExpression, problems: ProblemList): void {
  visit(checked.expression, (node) => {
    switch (node.kind) {
      case "call":
        validateArgument(node, problems);
        break;
      case "list": {
        const types = node.elements.map((element, index): [Expression, CelType] => {
          const type = typeOfNode(checked, element);
          return [element, node.optionals.includes(index) ? inner(type) : type];
        });
        // Only the first element of another type is reported.
        reportMixed(types, problems, true);
        break;
      }
      case "map":
        reportMixed(
          node.entries.map(({ key }) => [key, typeOfNode(checked, key)]),
          problems,
          false,
        );
        reportMixed(
          node.entries.map(({ value, optional }) => {
            const type = typeOfNode(checked, value);
            return [value, optional ? inner(type) : type];
          }),
          problems,
          false,
        );
        break;
      default:
        break;
    }
  });
}

function validateArgument({ name, args: [argument] }: Call, problems: ProblemList): void {
  if (argument?.kind !== "literal" || typeof argument.value !== "string") {
    return;
  }
  if (!isValid(name, argument.value)) {
    problems.add(argument.position, `invalid ${name} argument`);
  }
}

function isValid(name: string, text: string): boolean {
  switch (name) {
    case "duration":
      return readDuration(text) !== undefined;
    case "timestamp": {
      const time = readTimestamp(text);
      return time !== undefined && !(time instanceof CelFailure);
    }
    case "matches":
      return !("problem" in compileRe2(text));
    default:
      return true;
  }
}

function reportMixed(
  types: readonly (readonly [Expression, CelType])[],
  problems: ProblemList,
  firstOnly: boolean,
): void {
  const [first, ...others] = types;
  for (const [node, type] of others) {
    if (first !== undefined && !isSameType(first[1], type)) {
      problems.add(node.position, checkErrors.mismatch(first[1], type));
      if (firstOnly) {
        return;
      }
    }
  }
}

function inner(type: CelType): CelType {
  return type.parameters[0] ?? type;
}
