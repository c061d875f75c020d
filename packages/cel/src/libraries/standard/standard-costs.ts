import type { CallEstimate, CallToEstimate } from "../../functions/call-estimate.js";
import {
  costSize,
  matchCost,
  regexLengthFactor,
  stringTraversalFactor,
  traversal,
} from "../../functions/cost-factors.js";
import { Estimate, smaller } from "../../functions/estimate.js";
import type { OverloadCosts } from "../../functions/overload.js";

/** Sizes of the arguments of `name(...)`, or of the target and the arguments of `target.name(...)`. */
function sizes({ target, args }: CallToEstimate): readonly Estimate[] {
  const all = target === undefined ? args : [target, ...args];
  return all.map(({ computedSize }) => computedSize ?? Estimate.unknown);
}

function first(call: CallToEstimate): Estimate {
  return sizes(call)[0] ?? Estimate.unknown;
}

function second(call: CallToEstimate): Estimate {
  return sizes(call)[1] ?? Estimate.unknown;
}

/** `a.startsWith(b)`: the second text is read. */
export const secondText: OverloadCosts = {
  onlyIfResolved: true,
  cost: ([, text]) => traversal(text),
  estimate: (call) => ({ cost: second(call).times(stringTraversalFactor) }),
};

/** `bytes(string)`: a character becomes up to four bytes. */
export const textToBytes: OverloadCosts = {
  onlyIfResolved: true,
  cost: ([text]) => traversal(text),
  estimate: (call) => {
    const { min, max } = first(call);
    // As in cel-go, the product overflows.
    const resultSize = new Estimate(min, BigInt.asUintN(64, max * 4n));
    return { cost: first(call).times(stringTraversalFactor), resultSize };
  },
};

/** `string(bytes)`: up to four bytes become one character. */
export const bytesToText: OverloadCosts = {
  onlyIfResolved: true,
  cost: ([bytes]) => traversal(bytes),
  estimate: (call) => {
    const { min, max } = first(call);
    return {
      cost: first(call).times(stringTraversalFactor),
      resultSize: new Estimate(min / 4n, max),
    };
  },
};

/** `a in list`: every element is compared. */
export const search: OverloadCosts = {
  onlyIfResolved: true,
  cost: ([, list]) => costSize(list),
  estimate: (call) => ({ cost: second(call).times(1) }),
};

/** `a == b` and the order of strings and bytes: read up to the end of the shorter one. */
export const comparison: OverloadCosts = {
  onlyIfResolved: true,
  cost: ([a, b]) => Math.ceil(Math.min(costSize(a), costSize(b)) * stringTraversalFactor),
  estimate: (call): CallEstimate => {
    const [left, right] = [first(call), second(call)];
    const max = smaller(left.max, right.max);
    return { cost: new Estimate(max > 0n ? 1n : 0n, max).times(stringTraversalFactor) };
  },
};

/** `a + b` of strings and bytes: both are copied. */
export const concatenation: OverloadCosts = {
  onlyIfResolved: true,
  cost: ([a, b]) => Math.ceil((costSize(a) + costSize(b)) * stringTraversalFactor),
  estimate: (call) => {
    const resultSize = first(call).add(second(call));
    return { cost: resultSize.times(stringTraversalFactor), resultSize };
  },
};

/** `a + b` of lists: nothing is copied. */
export const listConcatenation: OverloadCosts = {
  estimate: (call) => ({
    cost: Estimate.exactly(1),
    resultSize: first(call).add(second(call)),
  }),
};

/** `a.matches(pattern)`: text by pattern, where an empty text counts as one character. */
export const match: OverloadCosts = {
  onlyIfResolved: true,
  cost: ([text, pattern]) => matchCost(text, pattern),
  estimate: (call) => {
    const text = first(call).add(Estimate.exactly(1)).times(stringTraversalFactor);
    return { cost: text.multiply(second(call).times(regexLengthFactor)) };
  },
};

/** `a.contains(b)`: text by text. */
export const containment: OverloadCosts = {
  onlyIfResolved: true,
  cost: ([text, part]) => traversal(text) * traversal(part),
  estimate: (call) => ({
    cost: first(call)
      .times(stringTraversalFactor)
      .multiply(second(call).times(stringTraversalFactor)),
  }),
};
