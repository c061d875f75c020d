import { Estimate, stringType } from "@typekube/cel";
import type { DeclaredType } from "./declared-type.js";

/**
 * Returns the sizes that the schema of `self` allows at a path of a rule.
 *
 * @param path - A variable, whatever its name, and the way from it: fields, "@items", "@keys", "@values".
 */
export function sizeOf(root: DeclaredType, path: readonly string[]): Estimate | undefined {
  const [variable, ...steps] = path;
  if (variable === undefined) {
    return undefined;
  }
  let current: DeclaredType | undefined = root;
  for (const step of steps) {
    current = next(current, step);
    if (current === undefined) {
      return undefined;
    }
  }
  return new Estimate(0n, BigInt(current.maxElements));
}

function next(current: DeclaredType, step: string): DeclaredType | undefined {
  switch (step) {
    case "@items":
    case "@values":
      return current.element;
    case "@keys":
      return current.isMap ? textKey : undefined;
    default:
      return current.fields?.get(step);
  }
}

/** Keys have no bound of their own: the size of the type is 0, as in Kubernetes. */
const textKey: DeclaredType = {
  type: stringType,
  maxElements: 0,
  minBytes: 2,
  fields: undefined,
  element: undefined,
  isMap: false,
};
