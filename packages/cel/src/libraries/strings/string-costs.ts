import type { CallToEstimate } from "../../functions/call-estimate.js";
import { stringTraversalFactor, traversal } from "../../functions/cost-factors.js";
import { Estimate } from "../../functions/estimate.js";
import type { OverloadCosts } from "../../functions/overload.js";

/** Costs of reading the target once. */
export const scan: OverloadCosts = {
  cost: ([text]) => traversal(text),
  estimate: ({ target }) =>
    target && { cost: target.size.times(stringTraversalFactor), resultSize: target.size },
};

/** Costs of `split`: reading the target and writing the parts, in the worst case one for each character. */
export const splitting: OverloadCosts = {
  cost: ([text]) => traversal(text, 2),
  estimate({ target, args: [, limit] }) {
    const given = limit?.literal;
    const isInt = typeof given === "number" || typeof given === "bigint";
    // A negative limit counts as the largest integer.
    const most = isInt ? BigInt.asUintN(64, BigInt(given)) : target?.size.max;
    return target && most !== undefined
      ? {
          cost: target.size.times(2 * stringTraversalFactor),
          resultSize: new Estimate(0n, most),
        }
      : undefined;
  },
};

/** Costs of `join`, by the size of the result. */
export const joining: OverloadCosts = {
  cost: (_args, result) => traversal(result, 2),
  estimate(call) {
    const size = joinedSize(call);
    return size && { cost: size.times(stringTraversalFactor), resultSize: size };
  },
};

function joinedSize({ target, args: [separator] }: CallToEstimate): Estimate | undefined {
  if (target === undefined) {
    return undefined;
  }
  const { size, elements } = target;
  const texts = elements === undefined ? Estimate.exactly(0) : size.multiply(elements.size);
  if (separator === undefined) {
    return texts;
  }
  const gaps = new Estimate(oneLess(size.min), oneLess(size.max));
  return texts.add(separator.size.multiply(gaps));
}

function oneLess(count: bigint): bigint {
  return count > 0n ? count - 1n : 0n;
}

/** Costs of `format`: reading the template. */
export const formatting: OverloadCosts = {
  cost: ([template]) => traversal(template),
  estimate: ({ target }) => target && { cost: target.size.times(stringTraversalFactor) },
};

/** Costs of `strings.quote`: in the worst case each character is escaped. */
export const quoting: OverloadCosts = {
  cost: ([text]) => traversal(text),
  estimate: ({ args: [text] }) =>
    text && {
      cost: text.size.times(stringTraversalFactor),
      // Wraps around like upstream's unsigned integers: a text of unknown size has a quoted size of 0.
      resultSize: new Estimate(
        BigInt.asUintN(64, text.size.min + 2n),
        BigInt.asUintN(64, text.size.max * 2n + 2n),
      ),
    },
};
