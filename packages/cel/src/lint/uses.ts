import type { CheckedExpression } from "../check/checked-expression.js";

/** Declarations that an expression uses. */
export interface ExpressionUses {
  /** Names of variables, in alphabetical order. */
  readonly variables: readonly string[];
  /** Names of functions and operators, for example "startsWith" and "_==_", in alphabetical order. */
  readonly functions: readonly string[];
}

/** Returns the variables and functions that an expression uses. */
export function usesOf({ references }: CheckedExpression): ExpressionUses {
  const variables = new Set<string>();
  const functions = new Set<string>();
  for (const reference of references.values()) {
    if (reference.kind === "variable" && reference.global) {
      variables.add(reference.name);
    } else if (reference.kind === "function" && !isInternal(reference.name)) {
      functions.add(reference.name);
    }
  }
  return { variables: [...variables].sort(), functions: [...functions].sort() };
}

/** Returns true for functions that only macros call. */
function isInternal(name: string): boolean {
  return name.includes("@") && name !== "@in";
}
