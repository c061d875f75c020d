import { quantifierOf } from "../explain/quantifier.js";
import type { Call, Expression } from "../syntax/expression.js";
import { operators } from "../syntax/operators.js";
import { isSameExpression } from "./same-expression.js";

/**
 * Returns the value that a condition has whatever its input, `undefined` if the input decides. An evaluation may still
 * fail, for example because a field is missing.
 */
export function constantTruth(node: Expression): boolean | undefined {
  switch (node.kind) {
    case "literal":
      return typeof node.value === "boolean" ? node.value : undefined;
    case "call":
      return truthOfCall(node);
    case "comprehension": {
      // A list can be empty, for which `all` is true and `exists` is false.
      const quantifier = quantifierOf(node);
      const body = quantifier === undefined ? undefined : constantTruth(quantifier.body);
      return body !== undefined && body === (quantifier?.kind === "all") ? body : undefined;
    }
    default:
      return undefined;
  }
}

function truthOfCall(node: Call): boolean | undefined {
  const [first, second, third] = node.args;
  if (first === undefined) {
    return undefined;
  }
  if (node.name === operators.not) {
    const truth = constantTruth(first);
    return truth === undefined ? undefined : !truth;
  }
  if (second === undefined) {
    return undefined;
  }
  switch (node.name) {
    case operators.and:
      return joined(termsOf(node, operators.and), false);
    case operators.or:
      return joined(termsOf(node, operators.or), true);
    case operators.conditional:
      return third === undefined ? undefined : truthOfBranches(first, second, third);
    default:
      return isSameExpression(first, second)
        ? truthOfEqual(node.name)
        : truthOfSize(node.name, first, second);
  }
}

/** Returns the value of `a && b` or `a || b`: one deciding term, or a term beside its opposite, is enough. */
function joined(terms: readonly Expression[], deciding: boolean): boolean | undefined {
  const truths = terms.map(constantTruth);
  if (truths.includes(deciding)) {
    return deciding;
  }
  if (truths.every((truth) => truth === !deciding)) {
    return !deciding;
  }
  const negated = terms.flatMap((term) =>
    term.kind === "call" && term.name === operators.not ? term.args : [],
  );
  return negated.some((term) => terms.some((other) => isSameExpression(term, other)))
    ? deciding
    : undefined;
}

function termsOf(node: Expression, name: string): readonly Expression[] {
  return node.kind === "call" && node.name === name
    ? node.args.flatMap((term) => termsOf(term, name))
    : [node];
}

function truthOfBranches(
  condition: Expression,
  whenTrue: Expression,
  whenFalse: Expression,
): boolean | undefined {
  const decided = constantTruth(condition);
  const [yes, no] = [constantTruth(whenTrue), constantTruth(whenFalse)];
  if (decided !== undefined) {
    return decided ? yes : no;
  }
  return yes === no ? yes : undefined;
}

/** Returns the value of a comparison of an expression with itself. */
function truthOfEqual(name: string): boolean | undefined {
  switch (name) {
    case operators.equal:
    case operators.lessOrEqual:
    case operators.greaterOrEqual:
      return true;
    case operators.notEqual:
    case operators.less:
    case operators.greater:
      return false;
    default:
      return undefined;
  }
}

/** Returns the value of comparisons such as `size(x) >= 0`: no size is negative. */
function truthOfSize(name: string, first: Expression, second: Expression): boolean | undefined {
  if (isSize(second)) {
    const mirrored = mirror.get(name);
    return mirrored === undefined ? undefined : truthOfSize(mirrored, second, first);
  }
  if (!isSize(first) || second.kind !== "literal" || typeof second.value !== "number") {
    return undefined;
  }
  const bound = second.value;
  switch (name) {
    case operators.greaterOrEqual:
      return bound <= 0 ? true : undefined;
    case operators.greater:
    case operators.notEqual:
      return bound < 0 ? true : undefined;
    case operators.less:
      return bound <= 0 ? false : undefined;
    case operators.lessOrEqual:
    case operators.equal:
      return bound < 0 ? false : undefined;
    default:
      return undefined;
  }
}

const mirror: ReadonlyMap<string, string> = new Map([
  [operators.less, operators.greater],
  [operators.greater, operators.less],
  [operators.lessOrEqual, operators.greaterOrEqual],
  [operators.greaterOrEqual, operators.lessOrEqual],
  [operators.equal, operators.equal],
  [operators.notEqual, operators.notEqual],
]);

function isSize(node: Expression): boolean {
  return node.kind === "call" && node.name === "size";
}
