import type { Expression, Literal } from "../syntax/expression.js";
import { childrenOf } from "../syntax/visit.js";
import { isEqual } from "../values/equals.js";
import { typeOf } from "../values/type-of.js";

/** Returns true if two expressions are written alike, but for their places. */
export function isSameExpression(a: Expression, b: Expression): boolean {
  const [left, right] = [childrenOf(a), childrenOf(b)];
  return (
    isSameNode(a, b) &&
    left.length === right.length &&
    left.every((child, index) => {
      const other = right[index];
      return other !== undefined && isSameExpression(child, other);
    })
  );
}

/** Compares two nodes without their parts. Objects and optional entries are rare in rules: they count as different. */
function isSameNode(a: Expression, b: Expression): boolean {
  switch (a.kind) {
    case "literal":
      return b.kind === "literal" && isSameLiteral(a, b);
    case "identifier":
      return b.kind === "identifier" && a.name === b.name;
    case "select":
      return b.kind === "select" && a.field === b.field && a.testOnly === b.testOnly;
    case "call":
      return (
        b.kind === "call" &&
        a.name === b.name &&
        (a.target === undefined) === (b.target === undefined)
      );
    case "list":
      return b.kind === "list" && a.optionals.length === 0 && b.optionals.length === 0;
    case "map":
      return b.kind === "map" && ![...a.entries, ...b.entries].some(({ optional }) => optional);
    case "struct":
      return false;
    case "comprehension":
      return (
        b.kind === "comprehension" &&
        a.variable === b.variable &&
        a.secondVariable === b.secondVariable &&
        a.accumulator === b.accumulator
      );
  }
}

function isSameLiteral({ value: a }: Literal, { value: b }: Literal): boolean {
  return typeOf(a).name === typeOf(b).name && isEqual(a, b);
}
