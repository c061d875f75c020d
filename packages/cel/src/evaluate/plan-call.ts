import { CelFailure, noSuchOverload } from "../values/cel-failure.js";
import type { CelResult, CelValue } from "../values/cel-value.js";
import { fastIntegers } from "./fast-integers.js";
import { type Evaluate, type Planned, planned } from "./frame.js";
import { type CalledFunction, invokeAny, invokeBinary, invokeUnary } from "./invocation.js";

type Cost = ((args: readonly CelResult[], result: CelResult) => number) | undefined;

/** Plans a call whose arguments are all evaluated, the target first. */
export function planCall(called: CalledFunction, args: readonly Planned[]): Planned {
  const runs = args.map(({ run }) => run);
  const cost = costOf(called);
  const [first, second] = runs;
  if (hasConstantPattern(called, args)) {
    const invoke = invokeAny(called);
    const find = (...values: CelValue[]): CelResult =>
      typeof values[0] === "string" ? invoke(...values) : noSuchOverload();
    return planned(variadic(runs, find, cost));
  }
  if (runs.length === 2 && first !== undefined && second !== undefined) {
    const general = binary(first, second, invokeBinary(called), cost);
    return planned(fastIntegers(called, first, second) ?? general);
  }
  if (runs.length === 1 && first !== undefined) {
    return planned(unary(first, invokeUnary(called), cost));
  }
  return planned(variadic(runs, invokeAny(called), cost));
}

/** Patterns that are constants are compiled ahead; cel-go evaluates such calls like those with many arguments. */
function hasConstantPattern({ name }: CalledFunction, args: readonly Planned[]): boolean {
  return (name === "find" || name === "findAll") && typeof args[1]?.constant === "string";
}

function unary(argument: Evaluate, invoke: (value: CelValue) => CelResult, cost: Cost): Evaluate {
  return (frame) => {
    const value = argument(frame);
    const result = value instanceof CelFailure ? value : invoke(value);
    frame.spend(cost === undefined ? 1 : cost([value], result));
    return result;
  };
}

/** Both arguments are evaluated, even if the first one fails. */
function binary(
  left: Evaluate,
  right: Evaluate,
  invoke: (a: CelValue, b: CelValue) => CelResult,
  cost: Cost,
): Evaluate {
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    const result = a instanceof CelFailure ? a : b instanceof CelFailure ? b : invoke(a, b);
    frame.spend(cost === undefined ? 1 : cost([a, b], result));
    return result;
  };
}

/** The first argument that fails ends the call; only a call whose arguments were all evaluated has a cost. */
function variadic(
  runs: readonly Evaluate[],
  invoke: (...args: CelValue[]) => CelResult,
  cost: Cost,
): Evaluate {
  return (frame) => {
    const values: CelValue[] = [];
    let failure: CelFailure | undefined;
    for (const [index, run] of runs.entries()) {
      const value = run(frame);
      if (!(value instanceof CelFailure)) {
        values.push(value);
      } else if (index < runs.length - 1) {
        return value;
      } else {
        failure = value;
      }
    }
    const result = failure ?? invoke(...values);
    const evaluated = failure === undefined ? values : [...values, failure];
    frame.spend(cost === undefined ? 1 : cost(evaluated, result));
    return result;
  };
}

function costOf({ overloads }: CalledFunction): Cost {
  const [overload] = overloads;
  const costs = overload?.costs;
  return costs?.onlyIfResolved === true && overloads.length > 1 ? undefined : costs?.cost;
}
