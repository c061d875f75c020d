import type { CallEstimate, EstimatedValue } from "../../functions/call-estimate.js";
import { costSize, stringTraversalFactor } from "../../functions/cost-factors.js";
import { Estimate } from "../../functions/estimate.js";
import type { OverloadCosts } from "../../functions/overload.js";
import { CelList } from "../../values/cel-list.js";
import type { CelType } from "../../values/cel-type.js";
import { maxUint64 } from "../../values/cel-uint.js";
import type { CelResult } from "../../values/cel-value.js";

/** Units of a call that creates a list, besides those for its elements. */
const creation = 11;

/** Costs of writing as many elements as the result has. */
export function writing(
  sizeOf: (
    target: EstimatedValue | undefined,
    args: readonly EstimatedValue[],
  ) => Estimate | undefined,
): OverloadCosts {
  return {
    cost: (_args, result) => unitsOf(1, costSize(result)),
    estimate({ target, args }) {
      const size = sizeOf(target, args);
      return size && estimated(1, size);
    },
  };
}

/** Costs of `flatten`: each level reads the list once. */
export const flattening: OverloadCosts = {
  cost: ([list, depth]) =>
    unitsOf(
      typeof depth === "number" || typeof depth === "bigint" ? Number(depth) : 1,
      costSize(list),
    ),
  estimate: ({ target, args: [depth] }) =>
    target && estimated(depth ? Number(literalOr(depth, maxUint64)) : 1, target.size),
};

/** Costs of `distinct`: comparing each element with each, twice. */
export const pairwise: OverloadCosts = {
  cost: ([list]) => selfComparison(list),
  estimate: ({ target }) => target && estimated(2, target.size.multiply(target.size)),
};

/** Costs of `sort`. */
export function sorting(type: CelType): OverloadCosts {
  return {
    onlyIfResolved: true,
    cost: ([list]) => selfComparison(list),
    estimate: ({ target }) => target && estimatedSort(type, target),
  };
}

/** Costs of `sortBy`, by the list of keys. */
export function sortingByKeys(type: CelType): OverloadCosts {
  return {
    onlyIfResolved: true,
    cost: ([, keys]) => selfComparison(keys),
    estimate: ({ args: [keys] }) => keys && estimatedSort(type, keys),
  };
}

/** The size of the result is taken to be the square, too. */
function estimatedSort({ kind }: CelType, { size }: EstimatedValue): CallEstimate {
  const isText = kind === "string" || kind === "bytes";
  return estimated(isText ? 2 + stringTraversalFactor : 2, size.multiply(size));
}

function estimated(factor: number, resultSize: Estimate): CallEstimate {
  return { cost: resultSize.times(factor).add(Estimate.exactly(creation)), resultSize };
}

function unitsOf(factor: number, size: number): number {
  return Math.trunc(size * (factor < 0 ? 1 : factor)) + creation;
}

function selfComparison(list: CelResult | undefined): number {
  const size = costSize(list);
  const first = list instanceof CelList && size > 0 ? list.at(0) : undefined;
  const isText = typeof first === "string" || first instanceof Uint8Array;
  return unitsOf(isText ? 2 + stringTraversalFactor : 2, size * size);
}

/** Returns an int of the source text, 0 if it is negative, another value if it is not a literal. */
export function literalOr({ literal }: EstimatedValue, other: bigint): bigint {
  if (typeof literal !== "number" && typeof literal !== "bigint") {
    return other;
  }
  return literal < 0 ? 0n : BigInt(literal);
}
