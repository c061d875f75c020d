import { type CelType, dynType, intType } from "../values/cel-type.js";
import type { Substitution } from "./substitution.js";

/**
 * Returns the types of the variables of a loop: one variable holds the elements of a list or the keys of a map, two hold
 * indexes or keys and values. `undefined` for a range that is neither.
 */
export function loopTypes(
  range: CelType,
  hasTwo: boolean,
  substitution: Substitution,
): readonly [CelType, CelType] | undefined {
  const [first = dynType, second = dynType] = range.parameters;
  switch (range.kind) {
    case "list":
      return hasTwo ? [intType, first] : [first, first];
    case "map":
      return [first, second];
    case "dyn":
    case "error":
    case "typeParameter":
      substitution.isAssignable(dynType, range);
      return [dynType, dynType];
    default:
      return undefined;
  }
}
