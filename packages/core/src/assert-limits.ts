import { assertKnownOptions } from "./assert-known-options.js";
import { KubeError } from "./kube-error.js";
import { defaultLimits, type Limits } from "./limits.js";

/**
 * Refuses a limit that there is not, and one that is no number of 0 or more: against NaN, as of an environment variable that is not
 * set, nothing is too large.
 *
 * @throws {KubeError} `InvalidArgument` that names it.
 */
export function assertLimits(limits: Partial<Limits>): void {
  assertKnownOptions("limits", limits, defaultLimits);
  for (const [name, limit] of Object.entries(limits)) {
    if (limit !== undefined && !(typeof limit === "number" && limit >= 0)) {
      throw new KubeError(
        "InvalidArgument",
        `limits.${name} is ${String(limit)}; it must be a number of 0 or more`,
      );
    }
  }
}
