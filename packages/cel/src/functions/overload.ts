import type { CelFailure } from "../values/cel-failure.js";
import type { CelType } from "../values/cel-type.js";
import type { CelResult, CelValue } from "../values/cel-value.js";
import type { CallEstimate, CallToEstimate } from "./call-estimate.js";

/** The JavaScript types of the arguments for a list of declared types. */
export type ArgumentsOf<P extends readonly CelType[]> = {
  readonly [I in keyof P]: P[I] extends CelType<infer T> ? T : never;
};

/** The costs of a call. Those of Kubernetes' libraries are Kubernetes' own, so that its limits mean the same here. */
export interface OverloadCosts {
  /** Returns the units that one call cost; 1 by default. A failed argument or result counts like any value. */
  readonly cost?: (args: readonly CelResult[], result: CelResult) => number;
  /**
   * True if `cost` holds only while this is the one signature that fits. A call whose signature is chosen at run time
   * then costs 1, as calls of standard functions do in cel-go.
   */
  readonly onlyIfResolved?: boolean;
  /** Estimates units and the size of the result while no value is known. Without it, the estimate is 1. */
  readonly estimate?: (call: CallToEstimate) => CallEstimate | undefined;
}

/** One signature of a function and its implementation. */
export interface Overload {
  /** Name of the signature, for example "string_char_at_int". */
  readonly id: string;
  /** True for `target.name(...)`; the first parameter is the target. */
  readonly member: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  readonly costs: OverloadCosts;
  /** True if `call` checks the types of its arguments itself: it is called without a check at run time. */
  readonly unguarded?: boolean;
  /** Evaluates calls for which several overloads may fit, in place of the first one that does; checks the types itself. */
  readonly dynamicCall?: (...args: readonly CelValue[]) => CelResult;
  /** Called with values of the parameters' types, never with a failure. */
  call(...args: CelValue[]): CelResult;
}

/** A function with its signatures, in the order in which they are tried. */
export interface FunctionDeclaration {
  /** The name, for example "charAt" or "sets.contains". */
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/**
 * Declares a signature of `name(...)`.
 *
 * @param id - Name of the signature, unique within the environment.
 * @param call - Receives values of the parameters' JavaScript types; returns a value or a `CelFailure`.
 */
export function overload<const P extends readonly CelType[], R extends CelValue>(
  id: string,
  parameters: P,
  result: CelType<R>,
  call: (...args: ArgumentsOf<P>) => R | CelFailure,
  costs?: OverloadCosts,
): Overload;
export function overload(
  id: string,
  parameters: readonly CelType[],
  result: CelType,
  call: Overload["call"],
  costs: OverloadCosts = {},
): Overload {
  return { id, member: false, parameters, result, costs, call };
}

/** Declares a signature of `target.name(...)`; the first parameter is the target. */
export function memberOverload<const P extends readonly CelType[], R extends CelValue>(
  id: string,
  parameters: P,
  result: CelType<R>,
  call: (...args: ArgumentsOf<P>) => R | CelFailure,
  costs?: OverloadCosts,
): Overload;
export function memberOverload(
  id: string,
  parameters: readonly CelType[],
  result: CelType,
  call: Overload["call"],
  costs: OverloadCosts = {},
): Overload {
  return { id, member: true, parameters, result, costs, call };
}
