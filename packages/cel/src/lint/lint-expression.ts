import type { CheckedExpression } from "../check/checked-expression.js";
import { quantifierOf } from "../explain/quantifier.js";
import type { Expression } from "../syntax/expression.js";
import { operators } from "../syntax/operators.js";
import { constantTruth } from "./constant-truth.js";
import { usesOf } from "./uses.js";

/** The kinds of findings about an expression that compiles. */
export type CelLintCode = "AlwaysFalse" | "AlwaysTrue" | "ReadsNoVariable";

/** A part of an expression that is legal, but hardly meant. */
export interface CelLint {
  readonly code: CelLintCode;
  /** For example "always true: self.a == self.a". */
  readonly message: string;
  /** Offset of the part in code points. */
  readonly start: number;
  /** Offset behind the part in code points. */
  readonly end: number;
}

/** Returns findings about an expression of type bool; an expression of another type has none. */
export function lintExpression(checked: CheckedExpression, source: string): readonly CelLint[] {
  const { expression } = checked;
  if (checked.types.get(expression.id)?.kind !== "bool") {
    return [];
  }
  const points = Array.from(source);
  const lint = (code: CelLintCode, words: string, { start, end }: Expression): CelLint => ({
    code,
    message: `${words}: ${points.slice(start, end).join("")}`,
    start,
    end,
  });
  const parts = constantTruth(expression) === undefined ? termsOf(expression) : [expression];
  const constant = parts.flatMap((part) => {
    const truth = constantTruth(part);
    if (truth === undefined) {
      return [];
    }
    return [
      truth ? lint("AlwaysTrue", "always true", part) : lint("AlwaysFalse", "always false", part),
    ];
  });
  const isUnrelated = constant.length === 0 && usesOf(checked).variables.length === 0;
  return isUnrelated ? [lint("ReadsNoVariable", "reads no variable", expression)] : constant;
}

/**
 * Returns the operands of `&&`, also inside of `all`. A constant branch of `? :` or condition of `all` is meant: it says
 * where the rule does not apply.
 */
function termsOf(node: Expression): readonly Expression[] {
  if (node.kind === "call" && node.name === operators.and) {
    return node.args.flatMap(termsOf);
  }
  const quantifier = node.kind === "comprehension" ? quantifierOf(node) : undefined;
  const terms = quantifier?.kind === "all" ? termsOf(quantifier.body) : [];
  return terms.length > 1 ? terms : [node];
}
