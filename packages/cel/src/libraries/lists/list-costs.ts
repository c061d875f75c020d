import type { EstimatedValue } from "../../functions/call-estimate.js";
import { stringTraversalFactor } from "../../functions/cost-factors.js";
import { deepTraversal } from "../../functions/deep-traversal.js";
import { Estimate } from "../../functions/estimate.js";
import type { OverloadCosts } from "../../functions/overload.js";

const one = Estimate.exactly(1);

/** Costs of reading every element once: `sum`, `min`, `max`, `isSorted`, and `indexOf` of lists and of strings. */
export const elementwise: OverloadCosts = {
  cost: ([target]) => deepTraversal(target),
  estimate: ({ target }) =>
    target && { cost: costOfElements(target) ?? target.size.times(stringTraversalFactor) },
};

/** Costs of `includes`, whose target may be any value; one of unknown type is estimated like a list of numbers. */
export const membership: OverloadCosts = {
  cost: ([target]) => deepTraversal(target),
  estimate: ({ target }) => target && { cost: costOfElements(target) ?? target.size },
};

/** Estimates a comparison with each element; `undefined` if the value is not a list. */
function costOfElements({ size, elements }: EstimatedValue): Estimate | undefined {
  if (elements === undefined) {
    return undefined;
  }
  const { kind } = elements.type;
  const isText = kind === "string" || kind === "bytes";
  return size.multiply(isText ? one.add(elements.size.times(stringTraversalFactor)) : one);
}
