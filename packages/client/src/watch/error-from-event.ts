import type { KubeObject } from "@typekube/api";
import { KubeError, type Status } from "@typekube/core";
import { errorFromStatus, type WireWatchEvent } from "@typekube/core/internal";

/** Builds the error for an ERROR event of a watch. */
export function errorFromEvent(event: WireWatchEvent): KubeError {
  const { kind = "an object without a kind" } = (event.object ?? {}) as Partial<KubeObject>;
  // No other kind has this name, so a Status without an apiVersion is accepted.
  return kind === "Status"
    ? errorFromStatus(event.object as Status)
    : new KubeError("Decode", `the watch sent an ERROR with ${kind} instead of a Status`);
}
