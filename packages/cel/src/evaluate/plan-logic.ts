import { CelFailure, noSuchOverload } from "../values/cel-failure.js";
import type { CelResult } from "../values/cel-value.js";
import { type Planned, planned } from "./frame.js";

/**
 * Plans `a || b` (`deciding` is true) or `a && b` (`deciding` is false). An operand with the deciding value decides, even
 * if the other one fails; otherwise the first failure is the result.
 */
export function planLogical(left: Planned, right: Planned, deciding: boolean): Planned {
  const first = left.run;
  const second = right.run;
  return planned((frame) => {
    const a = first(frame);
    if (a === deciding) {
      return deciding;
    }
    const b = second(frame);
    if (b === deciding) {
      return deciding;
    }
    if (typeof a === "boolean") {
      return typeof b === "boolean" ? !deciding : failureOf(b);
    }
    return failureOf(a);
  });
}

/** Plans `condition ? a : b`. */
export function planConditional(
  condition: Planned,
  whenTrue: Planned,
  whenFalse: Planned,
): Planned {
  const decide = condition.run;
  const yes = whenTrue.run;
  const no = whenFalse.run;
  return planned((frame) => {
    const value = decide(frame);
    if (value === true) {
      return yes(frame);
    }
    return value === false ? no(frame) : failureOf(value);
  });
}

function failureOf(value: CelResult): CelFailure {
  return value instanceof CelFailure ? value : noSuchOverload();
}
