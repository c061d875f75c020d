import type { CelType } from "../values/cel-type.js";
import type { CelValue } from "../values/cel-value.js";
import type { Estimate } from "./estimate.js";

/** An argument before its value is known: its type, its bounds, its literal. */
export interface EstimatedValue {
  readonly type: CelType;
  /** Size by the expression, by the schema's bounds or by the type; from 0 to the largest integer otherwise. */
  readonly size: Estimate;
  /** The part of `size` that the expression itself tells, for example of a literal. */
  readonly computedSize: Estimate | undefined;
  /** The value if the argument is a literal. */
  readonly literal: CelValue | undefined;
  /** The elements of a list, `undefined` for other types. */
  readonly elements: EstimatedValue | undefined;
}

/** A call whose cost is to be estimated. */
export interface CallToEstimate {
  /** The target of `target.name(...)`. */
  readonly target: EstimatedValue | undefined;
  /** The arguments in parentheses. */
  readonly args: readonly EstimatedValue[];
}

/** The estimated units of a call, without those of its arguments. */
export interface CallEstimate {
  readonly cost: Estimate;
  /** Size of the result if it is a string, bytes, a list or a map. */
  readonly resultSize?: Estimate;
}
