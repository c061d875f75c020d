import { costSize, stringTraversalFactor } from "../functions/cost-factors.js";
import { CelFailure } from "../values/cel-failure.js";
import { CelOpaque } from "../values/cel-opaque.js";
import type { CelResult } from "../values/cel-value.js";
import { equality, isEqual } from "../values/equals.js";
import { type Planned, planned } from "./frame.js";

/** Plans `a == b` or, if `negated` is true, `a != b`. Values of all types can be compared. */
export function planEquality(left: Planned, right: Planned, negated: boolean): Planned {
  const first = left.run;
  const second = right.run;
  return planned((frame) => {
    const a = first(frame);
    const b = second(frame);
    frame.spend(equalityCost(a, b, negated));
    if (a instanceof CelFailure) {
      return a;
    }
    if (b instanceof CelFailure) {
      return b;
    }
    // Values that cannot be compared are different for `!=` and an error for `==`.
    return negated ? !isEqual(a, b) : equality(a, b);
  });
}

/** The shorter value is read. Kubernetes' own types cost 1 with `==` whatever they are compared with. */
function equalityCost(a: CelResult, b: CelResult, negated: boolean): number {
  if (!negated && a instanceof CelOpaque) {
    return 1;
  }
  return Math.ceil(Math.min(costSize(a), costSize(b)) * stringTraversalFactor);
}
