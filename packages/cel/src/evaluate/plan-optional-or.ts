import type { Reference } from "../check/checked-expression.js";
import { CelFailure, noSuchOverload } from "../values/cel-failure.js";
import { CelOptional } from "../values/cel-optional.js";
import type { CelResult, CelValue } from "../values/cel-value.js";
import { type Planned, planned } from "./frame.js";

/** Returns true for `optional.or(other)` and `optional.orValue(other)`. */
export function isOptionalOr({
  name,
  overloads,
}: Extract<Reference, { kind: "function" }>): boolean {
  const [overload] = overloads;
  return (name === "or" || name === "orValue") && overload?.id.startsWith("optional_or") === true;
}

/** Plans `optional.or(other)` and `optional.orValue(other)`: `other` is evaluated only if it is needed. */
export function planOptionalOr(target: Planned, other: Planned, unwrap: boolean): Planned {
  return planned((frame): CelResult => {
    const optional: CelValue | CelFailure = target.run(frame);
    if (optional instanceof CelFailure) {
      return optional;
    }
    if (!(optional instanceof CelOptional)) {
      return noSuchOverload();
    }
    if (optional.value === undefined) {
      return other.run(frame);
    }
    return unwrap ? optional.value : optional;
  });
}
