import { matchCost } from "../functions/cost-factors.js";
import { compileRe2 } from "../re2/index.js";
import { CelDouble } from "../values/cel-double.js";
import { CelFailure } from "../values/cel-failure.js";
import { CelList } from "../values/cel-list.js";
import { CelUint } from "../values/cel-uint.js";
import type { CelValue } from "../values/cel-value.js";
import { mapKey } from "../values/map-key.js";
import { constantOf, type Planned, planned } from "./frame.js";
import { type CalledFunction, invokeAny } from "./invocation.js";

const conversions: ReadonlySet<string> = new Set([
  "bool",
  "bytes",
  "double",
  "duration",
  "dyn",
  "int",
  "string",
  "timestamp",
  "type",
  "uint",
]);

/**
 * Plans the calls whose result or cost cel-go knows before an evaluation: conversions of constants, `x in [constants]` and
 * `x.matches(constant)`.
 *
 * @returns `undefined` for any other call, a failure if the constant cannot be converted or is no pattern.
 */
export function foldCall(
  called: CalledFunction,
  args: readonly Planned[],
): Planned | CelFailure | undefined {
  const [first, second] = args;
  const [overload, ...others] = called.overloads;
  if (conversions.has(called.name) && args.length === 1 && first?.constant !== undefined) {
    const value = invokeAny(called)(first.constant);
    return value instanceof CelFailure ? value : constantOf(value);
  }
  if (
    (called.name === "find" || called.name === "findAll") &&
    typeof second?.constant === "string"
  ) {
    const compiled = compileRe2(second.constant);
    return "problem" in compiled ? new CelFailure(compiled.problem) : undefined;
  }
  if (first === undefined || second === undefined || others.length > 0) {
    return undefined;
  }
  if (overload?.id === "in_list" && second.constant instanceof CelList) {
    return membership(first, second.constant);
  }
  if (called.name === "matches" && typeof second.constant === "string" && args.length === 2) {
    return matching(first, second.constant);
  }
  return undefined;
}

/** Returns the look-up of a value among constants, which has no cost; `undefined` if a constant is no scalar. */
function membership(value: Planned, list: CelList): Planned | undefined {
  const keys = new Set<unknown>();
  for (const element of list) {
    if (!isScalar(element)) {
      return undefined;
    }
    keys.add(mapKey(element));
  }
  if (keys.size === 0) {
    return constantOf(false);
  }
  const { run } = value;
  return planned((frame) => {
    const found = run(frame);
    return found instanceof CelFailure ? found : keys.has(mapKey(found));
  });
}

function isScalar(value: CelValue): boolean {
  return typeof value !== "object" || value instanceof CelDouble || value instanceof CelUint;
}

function matching(text: Planned, pattern: string): Planned | CelFailure {
  const compiled = compileRe2(pattern);
  if ("problem" in compiled) {
    return new CelFailure(compiled.problem);
  }
  const { run } = text;
  return planned((frame) => {
    const value = run(frame);
    if (value instanceof CelFailure) {
      return value;
    }
    const result =
      typeof value === "string" ? compiled.test(value) : new CelFailure("no such overload");
    frame.spend(matchCost(value, pattern));
    return result;
  });
}
