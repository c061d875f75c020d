import type { Expression } from "./expression.js";
import { childrenOf } from "./visit.js";

/** Sizes of nodes so far; a macro that is the target of another one has a size already. */
const known = new WeakMap<Expression, number>();

/**
 * Returns the number of nodes of an expression as often as they are used: a macro such as `optMap` uses its target twice, so
 * that a chain of them doubles with each link. Needs no stack, however deep the expression is.
 */
export function expandedSize(root: Expression): number {
  const waiting: Expression[] = [root];
  for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
    const children = childrenOf(node);
    const missing = children.filter((child) => !known.has(child));
    if (missing.length > 0) {
      waiting.push(...missing);
      continue;
    }
    known.set(
      node,
      children.reduce((size, child) => size + (known.get(child) ?? 0), 1),
    );
    waiting.pop();
  }
  return known.get(root) ?? 1;
}
