import { type CelType, dynType, errorType } from "../values/cel-type.js";
import type { CheckEnvironment } from "./check-environment.js";
import { checkErrors } from "./check-errors.js";
import { isDynOrError, type Substitution } from "./substitution.js";

/** A type, with a problem if it could not be found. */
export interface FoundType {
  readonly type: CelType;
  readonly problem?: string;
}

/** Returns the type of `target.field`. */
export function fieldType(
  target: CelType,
  field: string,
  environment: CheckEnvironment,
  substitution: Substitution,
): FoundType {
  switch (target.kind) {
    case "map":
      return { type: target.parameters[1] ?? dynType };
    case "struct": {
      const type = environment.field(target.name, field);
      return type === undefined
        ? { type: errorType, problem: checkErrors.undefinedField(field) }
        : { type };
    }
    case "typeParameter":
      substitution.isAssignable(dynType, target);
      return { type: dynType };
    default:
      return isDynOrError(target)
        ? { type: dynType }
        : { type: dynType, problem: checkErrors.noFieldSelection(target) };
  }
}
