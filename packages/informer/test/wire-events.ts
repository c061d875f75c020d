import type { KubeError, Status } from "@typekube/core";
import { errorFromStatus, type WireWatchEvent } from "@typekube/core/internal";

export const added = (object: unknown): WireWatchEvent => ({ type: "ADDED", object });
export const modified = (object: unknown): WireWatchEvent => ({ type: "MODIFIED", object });
export const deleted = (object: unknown): WireWatchEvent => ({ type: "DELETED", object });

export function bookmark(resourceVersion: string | number, end?: string): WireWatchEvent {
  const annotations = end === undefined ? undefined : { "k8s.io/initial-events-end": end };
  return {
    type: "BOOKMARK",
    object: {
      kind: "Pod",
      apiVersion: "v1",
      metadata: { resourceVersion: String(resourceVersion), annotations },
    },
  };
}

/** Creates a Status as a server sends it. */
export function status(
  code: number,
  reason: string,
  message = reason,
  details: object = {},
): Status {
  return { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message, details };
}

export const failure = (
  code: number,
  reason: string,
  message?: string,
  details?: object,
): KubeError => errorFromStatus(status(code, reason, message, details));

export const errorEvent = (object: unknown): WireWatchEvent => ({ type: "ERROR", object });
