import { KubeError } from "../errors/kube-error.js";
import { assertKnownOptions } from "./assert-known-options.js";
import { defaultLimits, type Limits } from "./limits.js";

/**
 * Rejects unknown limits and limits that are not a number of at least 0. NaN, for example from an unset environment
 * variable, would disable a limit: nothing compares as larger.
 *
 * @throws {KubeError} `InvalidArgument` that names the limit.
 */
export function assertLimits(limits: Partial<Limits>): void {
  assertKnownOptions("limits", limits, defaultLimits);
  for (const [name, limit] of Object.entries(limits)) {
    if (limit !== undefined && !(typeof limit === "number" && limit >= 0)) {
      throw new KubeError(
        "InvalidArgument",
        `limits.${name} is ${String(limit)}, but must be a number of at least 0`,
      );
    }
  }
}
