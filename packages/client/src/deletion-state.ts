import type { KubeObject } from "@typekube/api";
import { errorFromStatus, isStatus, type Status } from "@typekube/core";

/**
 * What a delete came to: `gone`, or `terminating` while finalizers or a grace period hold the object. Servers answer with a
 * Status for most kinds that are gone, and with the object as it was for some (pods, services, service accounts ...).
 *
 * @throws {KubeError} for a Status that says Failure.
 */
export function deletionState(answer: KubeObject | Status): "gone" | "terminating" {
  if (isStatus(answer)) {
    if (answer.status === "Failure") {
      throw errorFromStatus(answer);
    }
    return "gone";
  }
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = answer.metadata ?? {};
  if (deletionTimestamp === undefined) {
    return "gone";
  }
  // Namespaces keep theirs in the spec.
  const { spec } = answer as { readonly spec?: { readonly finalizers?: readonly string[] } };
  const isHeld = finalizers.length > 0 || (spec?.finalizers?.length ?? 0) > 0;
  return !isHeld && deletionGracePeriodSeconds === 0 ? "gone" : "terminating";
}
