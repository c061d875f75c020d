import type { EstimatedValue } from "../../src/functions/call-estimate.js";
import { Estimate } from "../../src/functions/estimate.js";
import type { CelLibrary } from "../../src/functions/library.js";
import type { Overload } from "../../src/functions/overload.js";
import { CelFailure } from "../../src/values/cel-failure.js";
import type { CelType } from "../../src/values/cel-type.js";
import type { CelResult, CelValue } from "../../src/values/cel-value.js";
import { codePointCount } from "../../src/values/code-points.js";
import { equality } from "../../src/values/equals.js";
import { typeOf } from "../../src/values/type-of.js";
import { overloadFor } from "./call.js";

/** An expression of calls: a constant, `["f", ...]` for `f(...)`, `[".f", target, ...]` for `target.f(...)`. */
export type Term = string | number | bigint | boolean | readonly [name: string, ...Term[]];

/** Value, units and estimated units of a term. */
export interface Outcome {
  readonly result: CelResult;
  readonly cost: number;
  readonly estimate: Estimate;
}

/** Returns the source of a term. */
export function sourceOf(term: Term): string {
  if (typeof term !== "object") {
    return typeof term === "string" ? JSON.stringify(term) : String(term);
  }
  const [name, ...parts] = term;
  const [first = "", ...rest] = parts.map(sourceOf);
  if (name === "==" || name === "!=") {
    return `${first} ${name} ${rest[0]}`;
  }
  return name.startsWith(".")
    ? `${first}${name}(${rest.join(", ")})`
    : `${name}(${parts.map(sourceOf).join(", ")})`;
}

/** Evaluates a term with the functions of libraries. */
export function outcomeOf(libraries: readonly CelLibrary[], term: Term): Outcome {
  const { result, cost, estimated } = evaluate(libraries, term);
  return { result, cost, estimate: estimated };
}

interface Part {
  readonly result: CelResult;
  readonly cost: number;
  readonly estimated: Estimate;
  readonly size: EstimatedValue;
}

function evaluate(libraries: readonly CelLibrary[], term: Term): Part {
  if (typeof term !== "object") {
    const size = typeof term === "string" ? Estimate.exactly(codePointCount(term)) : undefined;
    const value = sizeOf(typeOf(term), size, term);
    return { result: term, cost: 0, estimated: Estimate.exactly(0), size: value };
  }
  const [name, ...parts] = term;
  const evaluated = parts.map((part) => evaluate(libraries, part));
  const args: CelValue[] = [];
  for (const part of evaluated) {
    if (part.result instanceof CelFailure) {
      return part;
    }
    args.push(part.result);
  }
  const spent = evaluated.reduce((sum, { cost }) => sum + cost, 0);
  const estimated = evaluated.reduce((sum, part) => sum.add(part.estimated), Estimate.exactly(0));
  if (name === "==") {
    const [a = null, b = null] = args;
    const bool = sizeOf(typeOf(true), undefined);
    return { result: equality(a, b), cost: spent + 1, estimated, size: bool };
  }
  const found = overloadIn(libraries, name.replace(/^\./, ""), name.startsWith("."), args);
  const result = found.call(...args);
  const sizes = evaluated.map(({ size }) => size);
  const call = found.member
    ? { target: sizes[0], args: sizes.slice(1) }
    : { target: undefined, args: sizes };
  const ofCall = found.costs.estimate?.(call) ?? { cost: Estimate.exactly(1) };
  return {
    result,
    cost: spent + (found.costs.cost?.(args, result) ?? 1),
    estimated: estimated.add(ofCall.cost),
    size: sizeOf(found.result, ofCall.resultSize),
  };
}

function sizeOf(
  type: CelType,
  size: Estimate | undefined,
  literal?: CelValue | undefined,
): EstimatedValue {
  return {
    type,
    size: size ?? Estimate.unknown,
    computedSize: size,
    literal,
    elements: undefined,
  };
}

function overloadIn(
  libraries: readonly CelLibrary[],
  name: string,
  isMember: boolean,
  args: readonly CelValue[],
): Overload {
  for (const library of libraries) {
    const functions = library.functions.map((declaration) => ({
      ...declaration,
      overloads: declaration.overloads.filter(({ member }) => member === isMember),
    }));
    try {
      return overloadFor({ ...library, functions }, name, args);
    } catch {
      // Another library may have the function.
    }
  }
  throw new Error(`no library has ${name} for these arguments`);
}
