import { compileRe2 } from "../re2/index.js";
import type { ProblemList } from "../syntax/compile-problem.js";
import type { Call, Expression, ListExpression, MapExpression } from "../syntax/expression.js";
import { childrenOf, visit } from "../syntax/visit.js";
import { formatProblem } from "../templates/validate-format.js";
import { CelFailure } from "../values/cel-failure.js";
import type { CelType } from "../values/cel-type.js";
import { isSameType } from "../values/cel-type.js";
import { readDuration, readTimestamp } from "../values/read-time.js";
import { checkErrors } from "./check-errors.js";
import { type CheckedExpression, typeOfNode } from "./checked-expression.js";

/** Function whose arguments may be lists and maps of mixed types. */
const mixingFunction = "format";

/** Which checks a version has. */
export interface LiteralChecks {
  /** Constants given to `duration`, `timestamp`, `matches` and `format` (Kubernetes 1.29). */
  readonly values: boolean;
  /** The elements of a list or map must have one type, where dyn is a type of its own. */
  readonly types: boolean;
}

/** Checks the literals of an expression whose types are right. */
export function validateLiterals(
  checked: CheckedExpression,
  problems: ProblemList,
  checks: LiteralChecks,
): void {
  const exempt = new Set<Expression>();
  visit(checked.expression, (node) => {
    if (exempt.has(node) || (node.kind === "call" && node.name === mixingFunction)) {
      for (const child of childrenOf(node)) {
        exempt.add(child);
      }
    }
    if (node.kind === "call" && checks.values) {
      validateArgument(node, problems);
      const found = formatProblem(node, (part) => typeOfNode(checked, part));
      if (found !== undefined) {
        problems.add(found.at.position, found.problem);
      }
    } else if (exempt.has(node)) {
      return;
    } else if (node.kind === "list" && checks.types) {
      validateElements(node, checked, problems);
    } else if (node.kind === "map" && checks.types) {
      validateEntries(node, checked, problems);
    }
  });
}

function validateElements(
  { elements, optionals }: ListExpression,
  checked: CheckedExpression,
  problems: ProblemList,
): void {
  const types = elements.map((element, index): [Expression, CelType] => {
    const type = typeOfNode(checked, element);
    return [element, optionals.includes(index) ? inner(type) : type];
  });
  // Only the first element of another type is reported.
  reportMixed(types, problems, true);
}

function validateEntries(
  { entries }: MapExpression,
  checked: CheckedExpression,
  problems: ProblemList,
): void {
  const keys = entries.map(({ key }): [Expression, CelType] => [key, typeOfNode(checked, key)]);
  const values = entries.map(({ value, optional }): [Expression, CelType] => {
    const type = typeOfNode(checked, value);
    return [value, optional ? inner(type) : type];
  });
  reportMixed(keys, problems, false);
  reportMixed(values, problems, false);
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
