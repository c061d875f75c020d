import type { Expression } from "./expression.js";
import { visit } from "./visit.js";

/** Freezes an expression with all its parts, once, and returns it. */
export function freezeTree(root: Expression): Expression {
  if (!Object.isFrozen(root)) {
    visit(root, (node) => {
      for (const part of Object.values(node)) {
        if (Array.isArray(part)) {
          part.forEach(Object.freeze);
          Object.freeze(part);
        }
      }
      Object.freeze(node);
    });
  }
  return root;
}
