import { CelFailure } from "../values/cel-failure.js";
import type { CelResult } from "../values/cel-value.js";
import type { Evaluate } from "./frame.js";
import { type CalledFunction, invokeBinary } from "./invocation.js";

/** Results for two numbers; `undefined` if the general way has to decide, for example because of an overflow. */
const operations: ReadonlyMap<string, (a: number, b: number) => number | boolean | undefined> =
  new Map<string, (a: number, b: number) => number | boolean | undefined>([
    ["add_int64", (a, b) => safe(a + b)],
    ["subtract_int64", (a, b) => safe(a - b)],
    ["less_int64", (a, b) => a < b],
    ["less_equals_int64", (a, b) => a <= b],
    ["greater_int64", (a, b) => a > b],
    ["greater_equals_int64", (a, b) => a >= b],
  ]);

function safe(value: number): number | undefined {
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Returns a shorter way for operators of two ints, by far the most frequent ones; `undefined` for other calls. */
export function fastIntegers(
  called: CalledFunction,
  left: Evaluate,
  right: Evaluate,
): Evaluate | undefined {
  const [overload, ...others] = called.overloads;
  const operation = overload === undefined ? undefined : operations.get(overload.id);
  if (operation === undefined || others.length > 0) {
    return undefined;
  }
  const invoke = invokeBinary(called);
  return (frame): CelResult => {
    const a = left(frame);
    const b = right(frame);
    frame.cost += 1;
    if (typeof a === "number" && typeof b === "number") {
      const result = operation(a, b);
      if (result !== undefined) {
        return result;
      }
    }
    return a instanceof CelFailure ? a : b instanceof CelFailure ? b : invoke(a, b);
  };
}
