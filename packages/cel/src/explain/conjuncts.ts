import type { Expression } from "../syntax/expression.js";
import { operators } from "../syntax/operators.js";
import { quantifierOf } from "./quantifier.js";

/** A part of an expression that can make the whole false on its own. */
export interface Conjunct {
  /** The part as it is written. */
  readonly source: string;
  /** Offset of the part in code points. */
  readonly start: number;
  /** Offset behind the part in code points. */
  readonly end: number;
}

/**
 * Returns the conjuncts of an expression in the order of the text: the operands of `&&`, also inside of the branches of
 * `? :` and of the condition of `all`. Constants are left out.
 */
export function conjunctsOf(expression: Expression, source: string): readonly Conjunct[] {
  const points = Array.from(source);
  return conjunctPartsOf(expression)
    .filter(({ kind }) => kind !== "literal")
    .map(({ start, end }) => ({ source: points.slice(start, end).join(""), start, end }));
}

function conjunctPartsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case "call": {
      const [, ...branches] = node.args;
      if (node.name === operators.and) {
        return node.args.flatMap(conjunctPartsOf);
      }
      return node.name === operators.conditional ? branches.flatMap(conjunctPartsOf) : [node];
    }
    case "comprehension": {
      const quantifier = quantifierOf(node);
      return quantifier?.kind === "all" ? conjunctPartsOf(quantifier.body) : [node];
    }
    default:
      return [node];
  }
}
