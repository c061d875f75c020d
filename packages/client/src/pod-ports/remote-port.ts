import { isForbidden } from "@typekube/core";
import type { CallOptions } from "../options/call-options.js";
import type { PodTarget } from "../pod-target/pod-target.js";
import { portOfPod } from "./port-spec.js";

/** Returns the number of a pod's port; a number needs no permission to read the pod. */
export async function remotePort(
  pod: PodTarget,
  remote: number | string,
  options: CallOptions,
): Promise<number> {
  try {
    return portOfPod(await pod.get(options), remote);
  } catch (error) {
    if (isForbidden(error) && typeof remote === "number") {
      return remote;
    }
    throw error;
  }
}
