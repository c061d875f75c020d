import { PendingCall } from "../../time/pending-call.js";

/** The package that evaluates policies, with CEL. Most servers never need it. */
export type PolicyPackage = typeof import("@typekube/policy");

let loaded: PolicyPackage | undefined;

/**
 * Returns the package that evaluates policies and match conditions.
 *
 * @throws {PendingCall} when it is not loaded yet.
 */
export function policyPackage(): PolicyPackage {
  if (loaded === undefined) {
    throw new PendingCall(async () => {
      loaded = await import("@typekube/policy");
    });
  }
  return loaded;
}
