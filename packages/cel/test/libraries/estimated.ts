import type { EstimatedValue } from "../../src/functions/call-estimate.js";
import { Estimate } from "../../src/functions/estimate.js";
import type { CelType } from "../../src/values/cel-type.js";
import type { CelValue } from "../../src/values/cel-value.js";

/** Returns what is known about an argument: its type, the bounds of its size, its literal. */
export function estimatedValue(
  type: CelType,
  size: readonly [min: number | bigint, max: number | bigint] = [0, 2n ** 64n - 1n],
  more: { readonly literal?: CelValue; readonly elements?: EstimatedValue } = {},
): EstimatedValue {
  const [min, max] = size;
  return {
    type,
    size: new Estimate(BigInt(min), BigInt(max)),
    computedSize: undefined,
    literal: more.literal,
    elements: more.elements,
  };
}

/** Returns the ends of an estimate, so that tests compare and print them. */
export function ends(estimate: Estimate | undefined): readonly [bigint, bigint] | undefined {
  return estimate && [estimate.min, estimate.max];
}
