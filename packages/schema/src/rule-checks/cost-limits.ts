/** Largest estimated cost of one rule over all places of an object, in units (`StaticEstimatedCostLimit`). */
export const ruleCostLimit = 10_000_000n;
/** Largest estimated cost of all rules of a definition's version, in units (`StaticEstimatedCRDCostLimit`). */
export const definitionCostLimit = 100_000_000n;

/** Largest cost that an estimate can have; sums and products stop there. */
const maxUint64 = 2n ** 64n - 1n;

/** Returns the sum of two costs. */
export function addCosts(a: bigint, b: bigint): bigint {
  return capped(a + b);
}

/** Returns the product of two factors of a cost, `undefined` if one of them is not known. */
export function multiplyCosts(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || b === undefined ? undefined : capped(a * b);
}

function capped(cost: bigint): bigint {
  return cost > maxUint64 ? maxUint64 : cost;
}
