import type { Overload } from "../functions/overload.js";
import type { CelFailure } from "../values/cel-failure.js";
import { noSuchOverload } from "../values/cel-failure.js";
import { dynType } from "../values/cel-type.js";
import type { CelResult, CelValue } from "../values/cel-value.js";
import { typeOf } from "../values/type-of.js";
import { matchesOverload, matchesType } from "./matches-type.js";

/** A function whose signatures were narrowed down by the type checker. */
export interface CalledFunction {
  readonly name: string;
  /** The signatures that fit, at least one. */
  readonly overloads: readonly Overload[];
}

/** Returns what calls the first signature whose types fit the value. */
export function invokeUnary(called: CalledFunction): (value: CelValue) => CelResult {
  const [overload, ...others] = called.overloads;
  if (overload === undefined || others.length > 0) {
    return invokeAny(called);
  }
  const [type = dynType] = overload.parameters;
  const { unguarded = false } = overload;
  return (value) =>
    unguarded || matchesType(value, type) ? overload.call(value) : mismatch(called, [value]);
}

/** Returns what calls the first signature whose types fit both values. */
export function invokeBinary(called: CalledFunction): (a: CelValue, b: CelValue) => CelResult {
  const [overload, ...others] = called.overloads;
  if (overload === undefined || others.length > 0) {
    return invokeAny(called);
  }
  const [first = dynType, second = dynType] = overload.parameters;
  const { unguarded = false } = overload;
  return (a, b) =>
    unguarded || (matchesType(a, first) && matchesType(b, second))
      ? overload.call(a, b)
      : mismatch(called, [a, b]);
}

/** Returns what calls the first signature whose types fit all values. */
export function invokeAny(called: CalledFunction): (...args: CelValue[]) => CelResult {
  const [first, ...others] = called.overloads;
  if (first?.dynamicCall !== undefined && others.length > 0) {
    return first.dynamicCall;
  }
  return (...args) => {
    for (const overload of called.overloads) {
      if (matchesOverload(args, overload)) {
        return overload.call(...args);
      }
    }
    return mismatch(called, args);
  };
}

/** Operators do not tell the types, functions do; as in cel-go. */
function mismatch({ name }: CalledFunction, args: readonly CelValue[]): CelFailure {
  const types = args.map((value) => typeOf(value).name).join(", ");
  return noSuchOverload(/^[_@!-]/.test(name) ? undefined : `${name}(${types})`);
}
