import type { CallEstimate, CallToEstimate } from "../../functions/call-estimate.js";
import { stringTraversalFactor } from "../../functions/cost-factors.js";
import { Estimate } from "../../functions/estimate.js";
import type { OverloadCosts } from "../../functions/overload.js";
import { isSameType } from "../../values/cel-type.js";
import { comparison } from "./standard-costs.js";

/** Types of Kubernetes whose values are compared in one step. */
const comparedInOneStep: ReadonlySet<string> = new Set([
  "kubernetes.authorization.Authorizer",
  "kubernetes.authorization.Decision",
  "kubernetes.authorization.GroupCheck",
  "kubernetes.authorization.PathCheck",
  "kubernetes.authorization.ResourceCheck",
  "kubernetes.Quantity",
  "kubernetes.Semver",
  "net.CIDR",
  "net.IP",
]);

/** Characters that the name of a format has at most. */
const maxFormatName = 64n;

/**
 * `a == b`: as for other comparisons, but two values of one of Kubernetes' own types cost what Kubernetes lays down. `!=`
 * has no such rule.
 */
export const equalityCosts: OverloadCosts = {
  ...comparison,
  estimate: (call) => estimateOwnTypes(call) ?? comparison.estimate?.(call),
};

function estimateOwnTypes({ args: [left, right] }: CallToEstimate): CallEstimate | undefined {
  if (left === undefined || right === undefined || !isSameType(left.type, right.type)) {
    return undefined;
  }
  if (comparedInOneStep.has(left.type.name)) {
    return { cost: Estimate.exactly(1) };
  }
  switch (left.type.name) {
    case "kubernetes.NamedFormat":
      return { cost: readUpTo(maxFormatName) };
    case "kubernetes.URL":
      return { cost: readUpTo(right.computedSize?.max ?? 1n) };
    default:
      return undefined;
  }
}

/** Returns the units of reading one character at least. */
function readUpTo(max: bigint): Estimate {
  return new Estimate(1n, max).times(stringTraversalFactor);
}
