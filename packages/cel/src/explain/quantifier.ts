import type { Comprehension, Expression } from "../syntax/expression.js";
import { operators } from "../syntax/operators.js";

/** A loop that decides something about its elements. */
export interface Quantifier {
  readonly kind: "all" | "exists" | "existsOne";
  /** The condition for one element. */
  readonly body: Expression;
}

/** Returns the macro that wrote a loop, `undefined` for a loop that creates a list or a map. */
export function quantifierOf({ initial, step }: Comprehension): Quantifier | undefined {
  if (initial.kind !== "literal" || step.kind !== "call") {
    return undefined;
  }
  const [first, second] = step.args;
  switch (step.name) {
    case operators.and:
      return second === undefined ? undefined : { kind: "all", body: second };
    case operators.or:
      return second === undefined ? undefined : { kind: "exists", body: second };
    case operators.conditional:
      return first === undefined ? undefined : { kind: "existsOne", body: first };
    default:
      return undefined;
  }
}
