import { KubeError } from "../errors/kube-error.js";
import { assertKnownOptions } from "./assert-known-options.js";
import { defaultLimits, type Limits } from "./limits.js";
import { amount } from "./option-checks.js";
import { optionProblems } from "./option-table.js";

const limitOptions = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, amount]));

/**
 * Rejects unknown limits and limits that are not a number of at least 0. NaN, for example from an unset environment
 * variable, would disable a limit: nothing compares as larger.
 *
 * @throws {KubeError} `InvalidArgument` that names the limit.
 */
export function assertLimits(limits: Partial<Limits>): void {
  assertKnownOptions("limits", limits, limitOptions);
  const [problem] = optionProblems(limits, limitOptions, "limits.");
  if (problem !== undefined) {
    throw new KubeError("InvalidArgument", problem);
  }
}
