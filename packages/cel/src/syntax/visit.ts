import type { Expression } from "./expression.js";

/** Calls a function for a node and all nodes below it, parents first. Needs no stack, however deep the tree is. */
export function visit(root: Expression, enter: (node: Expression) => void): void {
  const waiting: Expression[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    enter(node);
    waiting.push(...childrenOf(node).toReversed());
  }
}

/** Returns the parts of a node in the order of the text. */
export function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case "literal":
    case "identifier":
      return [];
    case "select":
      return [node.operand];
    case "call":
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case "list":
      return node.elements;
    case "map":
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case "struct":
      return node.fields.map(({ value }) => value);
    case "comprehension":
      return [node.range, node.initial, node.condition, node.step, node.result];
  }
}
