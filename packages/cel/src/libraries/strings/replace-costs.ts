import { stringTraversalFactor, traversal } from "../../functions/cost-factors.js";
import { Estimate } from "../../functions/estimate.js";
import type { OverloadCosts } from "../../functions/overload.js";

/** Costs of `replace`: reading the target and writing the result. */
export const rewriting: OverloadCosts = {
  cost: ([text]) => traversal(text, 2),
  estimate: ({ target, args: [old, replacement] }) =>
    target && old && replacement
      ? {
          cost: target.size.times(2 * stringTraversalFactor),
          resultSize: replacedSize(target.size, old.size, replacement.size),
        }
      : undefined,
};

/** One end of the size of the result: replacements, and characters of the text that remain. */
interface Bound {
  readonly count: bigint;
  readonly kept: bigint;
}

function replacedSize(size: Estimate, old: Estimate, replacement: Estimate): Estimate {
  const longest = bound(size.max, old.min, replacement.max <= old.min);
  const shortest = bound(size.min, old.max, old.max <= replacement.min);
  return new Estimate(shortest.count, longest.count)
    .multiply(replacement)
    .add(new Estimate(shortest.kept, longest.kept));
}

/** An empty `old` surrounds all characters; if replacing brings the size no nearer to this end, the text's size counts. */
function bound(size: bigint, old: bigint, keepsSize: boolean): Bound {
  if (old === 0n) {
    return { count: Estimate.exactly(size).add(Estimate.exactly(1)).max, kept: size };
  }
  return keepsSize ? { count: 0n, kept: size } : { count: quotient(size, old), kept: 0n };
}

/** Divides in floating point and rounds up; 2^64 becomes 2^63, as in Go on amd64. */
function quotient(size: bigint, old: bigint): bigint {
  const result = Math.ceil(Number(size) / Number(old));
  return result >= 2 ** 64 ? 2n ** 63n : BigInt(result);
}
