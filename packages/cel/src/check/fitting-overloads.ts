import type { Overload } from "../functions/overload.js";
import { type CelType, dynType, isSameType } from "../values/cel-type.js";
import type { Substitution } from "./substitution.js";

/** Signatures that fit the types of arguments, and the type of the result: `dyn` if they differ in it. */
export interface FittingOverloads {
  readonly overloads: readonly Overload[];
  readonly result: CelType;
}

/** Returns the signatures that fit, `undefined` if none does. */
export function fittingOverloads(
  candidates: readonly Overload[],
  types: readonly CelType[],
  substitution: Substitution,
): FittingOverloads | undefined {
  const overloads: Overload[] = [];
  let result: CelType | undefined;
  for (const overload of candidates) {
    const [returned = dynType, ...parameters] = substitution.instantiate([
      overload.result,
      ...overload.parameters,
    ]);
    if (substitution.areAssignable(types, parameters)) {
      overloads.push(overload);
      const type = substitution.apply(returned);
      result = result === undefined || isSameType(result, type) ? type : dynType;
    }
  }
  return result === undefined ? undefined : { overloads, result };
}
