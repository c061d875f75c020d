import { stringTraversalFactor, traversal } from "./cost-factors.js";
import { Estimate } from "./estimate.js";
import type { OverloadCosts } from "./overload.js";

/**
 * Returns the costs of a function `name(text)` that reads the text a number of times: Kubernetes counts parsing like
 * this.
 */
export function readingCosts(times = 1): OverloadCosts {
  return {
    cost: ([text]) => traversal(text, times),
    estimate: ({ args }) => ({
      cost: (args[0]?.size ?? Estimate.unknown).times(times * stringTraversalFactor),
    }),
  };
}

/** Returns the same costs where the result has the size of the text: Kubernetes' estimates go on with it. */
export function readingAllCosts(): OverloadCosts {
  return {
    cost: ([text]) => traversal(text),
    estimate: ({ args }) => {
      const size = args[0]?.size ?? Estimate.unknown;
      return { cost: size.times(stringTraversalFactor), resultSize: size };
    },
  };
}
