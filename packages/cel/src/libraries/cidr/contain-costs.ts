import { stringTraversalFactor, traversal } from "../../functions/cost-factors.js";
import { Estimate } from "../../functions/estimate.js";
import type { OverloadCosts } from "../../functions/overload.js";

/** Bytes of an address whose family is not known. */
const addressSize = new Estimate(4n, 16n);

/**
 * Returns the costs of `containsIP` and `containsCIDR`: the bytes of the prefix are read twice, and three times and
 * compared for a network. A text is parsed before.
 *
 * @param argument - The kind of the argument.
 * @param isText - True if the argument is the text of it.
 */
export function containCosts(argument: "address" | "network", isText: boolean): OverloadCosts {
  return {
    cost: ([cidr, other]) =>
      traversal(cidr, 2) +
      (argument === "network" ? traversal(cidr) + 1 : 0) +
      (isText ? traversal(other) : 0),
    estimate: ({ args }) => {
      const twice = addressSize.add(addressSize).times(stringTraversalFactor);
      const compared =
        argument === "network"
          ? twice.add(addressSize.times(stringTraversalFactor)).add(Estimate.exactly(1))
          : twice;
      const text = args[0]?.size ?? Estimate.unknown;
      return { cost: isText ? compared.add(text.times(stringTraversalFactor)) : compared };
    },
  };
}
