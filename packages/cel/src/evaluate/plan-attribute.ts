import { CelFailure } from "../values/cel-failure.js";
import { CelOptional } from "../values/cel-optional.js";
import type { CelResult, CelValue } from "../values/cel-value.js";
import { type Planned, planned } from "./frame.js";
import { find, qualify } from "./qualify.js";

/**
 * Plans one step of a chain: `operand.field`, `operand[key]` or, if `optional` is true, `operand.?field`, `operand[?key]`.
 * Behind an optional value the step is optional, too.
 */
export function planAttributeStep(operand: Planned, key: Planned, optional: boolean): Planned {
  const target = operand.run;
  const constant = key.constant;
  if (constant !== undefined && !optional) {
    return planned((frame) => {
      const value = target(frame);
      if (value instanceof CelFailure) {
        return value;
      }
      if (value instanceof CelOptional) {
        return optionalStep(frame, value.value, constant);
      }
      frame.cost += 1;
      return qualify(value, constant);
    });
  }
  const keyOf = key.run;
  return planned((frame) => {
    const value = target(frame);
    if (value instanceof CelFailure) {
      return value;
    }
    const isOptional = value instanceof CelOptional;
    if (isOptional && value.value === undefined) {
      return value;
    }
    const at = keyOf(frame);
    if (at instanceof CelFailure) {
      frame.cost += optional || isOptional ? 0 : 1;
      return at;
    }
    if (optional || isOptional) {
      return optionalStep(frame, isOptional ? value.value : value, at);
    }
    frame.cost += 1;
    return qualify(value, at);
  });
}

/** A step costs 1 only if there is a value. */
function optionalStep(
  frame: { cost: number },
  target: CelValue | undefined,
  key: CelValue,
): CelResult {
  const found = target === undefined ? undefined : find(target, key);
  if (found === undefined) {
    return CelOptional.none;
  }
  if (found instanceof CelFailure) {
    return found;
  }
  frame.cost += 1;
  return new CelOptional(found);
}

/** Plans `has(operand.field)`. */
export function planPresence(operand: Planned, field: string): Planned {
  const target = operand.run;
  return planned((frame) => {
    const value = target(frame);
    if (value instanceof CelFailure) {
      return value;
    }
    if (value instanceof CelOptional) {
      // As with other optional steps, only a field that is there has a cost.
      const found = value.value === undefined ? undefined : find(value.value, field);
      frame.cost += found === undefined ? 0 : 1;
      return found instanceof CelFailure ? found : found !== undefined;
    }
    frame.cost += 1;
    const found = find(value, field);
    return found instanceof CelFailure ? found : found !== undefined;
  });
}
