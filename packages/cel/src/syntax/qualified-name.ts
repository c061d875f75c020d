import type { Expression } from "./expression.js";

/** Returns `a.b.c` as a name, `undefined` if the expression is not made of names. */
export function qualifiedName(
  node: Expression,
): { readonly first: string; readonly all: string } | undefined {
  const fields: string[] = [];
  let current = node;
  while (current.kind === "select" && !current.testOnly) {
    fields.unshift(current.field);
    current = current.operand;
  }
  return current.kind === "identifier"
    ? { first: current.name, all: [current.name, ...fields].join(".") }
    : undefined;
}
