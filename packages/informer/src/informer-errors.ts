import type { KubeObject } from "@typekube/api";
import { KubeError, resourceVersionOrder } from "@typekube/core";
import type { SharedCache } from "./cache/shared-cache.js";

/**
 * Of whoever asks something of an informer that has ended.
 *
 * @param cause - the reason of the signal that ended it, where one did.
 */
export function closedError(cause?: unknown): KubeError {
  return new KubeError("Closed", "the informer is closed", { cause });
}

/** Of whoever waited for a version that the cache has not shown in time. */
export function notCaughtUp<T extends KubeObject>(
  { resource, resourceVersion: seen, lastError }: SharedCache<T>,
  wanted: string,
): KubeError {
  const isOrdered = seen === "" || resourceVersionOrder(seen, wanted) !== undefined;
  return new KubeError(
    "DeadlineExceeded",
    `the cache of ${resource} is at resourceVersion ${seen || "(none)"} and has not reached ${wanted}`,
    {
      cause: lastError,
      hint: isOrdered
        ? undefined
        : "these resourceVersions have no order, so only this exact one counts",
    },
  );
}

/** Of an informer over a cache that was handed to it: it does not know how to make another one. */
export function noOtherShard(): never {
  throw new KubeError("InvalidArgument", "this informer has a fixed shard", {
    hint: "create it with client.informer() to change its shard later",
  });
}
