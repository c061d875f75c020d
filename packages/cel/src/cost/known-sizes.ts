import { Estimate } from "../functions/estimate.js";
import type { Expression } from "../syntax/expression.js";
import type { CelType } from "../values/cel-type.js";
import { codePointCount } from "../values/code-points.js";

/** Returns the size of a literal, of a list or of a map as it is written; `undefined` for other expressions. */
export function literalSize(node: Expression): Estimate | undefined {
  switch (node.kind) {
    case "literal": {
      const { value } = node;
      if (typeof value === "string") {
        return Estimate.exactly(codePointCount(value));
      }
      return Estimate.exactly(value instanceof Uint8Array ? value.length : 1);
    }
    case "list":
      return Estimate.exactly(node.elements.length);
    case "map":
      return Estimate.exactly(node.entries.length);
    default:
      return undefined;
  }
}

const scalars: ReadonlySet<string> = new Set([
  "bool",
  "double",
  "duration",
  "int",
  "timestamp",
  "uint",
]);

/** Returns 1 for types whose values all have one size, `undefined` for others. */
export function typeSize(type: CelType): Estimate | undefined {
  if (type.name === "optional_type") {
    const [inner] = type.parameters;
    return inner === undefined ? undefined : typeSize(inner);
  }
  return scalars.has(type.kind) ? Estimate.exactly(1) : undefined;
}
