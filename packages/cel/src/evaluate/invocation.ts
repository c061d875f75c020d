import { matchesOverload, matchesType } from "../functions/matches-type.js";
import type { Overload } from "../functions/overload.js";
import type { CelFailure } from "../values/cel-failure.js";
import { noSuchOverload } from "../values/cel-failure.js";
import { dynType } from "../values/cel-type.js";
import type { CelResult, CelValue } from "../values/cel-value.js";
import { typeOf } from "../values/type-of.js";

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

/** Types that an operator is defined for on its left side; cel-go names the operator only for other types. */
const operands: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (
    [
      [["_<_", "_<=_", "_>_", "_>=_"], "bool int uint double string bytes timestamp duration"],
      [["_+_"], "int uint double string bytes list timestamp duration"],
      [["_-_"], "int uint double timestamp duration"],
      [["_*_", "_/_"], "int uint double"],
      [["_%_"], "int uint"],
      [["-_"], "int double duration"],
    ] as const
  ).flatMap(([names, kinds]) => names.map((name) => [name, new Set(kinds.split(" "))])),
);

function mismatch({ name }: CalledFunction, args: readonly CelValue[]): CelFailure {
  const types = args.map(typeOf);
  const kinds = operands.get(name);
  if (kinds !== undefined) {
    return noSuchOverload(kinds.has(types[0]?.kind ?? "") ? undefined : name);
  }
  if (/^[_@!]|^(contains|endsWith|startsWith)$/.test(name)) {
    return noSuchOverload();
  }
  if (name === "size" || name === "matches") {
    return noSuchOverload(name);
  }
  return noSuchOverload(`${name}(${types.map((type) => type.name).join(", ")})`);
}
