import type { KubeObject } from "@typekube/api";
import { KubeError, resourceVersionOrder } from "@typekube/core";
import type { SharedCache } from "../cache/shared-cache.js";

/**
 * Returns the error of calls on a closed informer.
 *
 * @param cause - the abort reason, when a signal ended the informer.
 */
export function closedError(cause?: unknown): KubeError {
  return new KubeError("Closed", "the informer is closed", { cause });
}

/** Returns the error of a wait for a resourceVersion that the cache did not reach in time. */
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
        : "these resourceVersions cannot be compared, so only exactly this one counts: wait right after the write, or record the written object with mutated()",
    },
  );
}

/** Throws for an informer that was created on a given cache: it can't create the cache of another shard. */
export function noOtherShard(): never {
  throw new KubeError("InvalidArgument", "this informer has a fixed shard", {
    hint: "create it with client.informer() to change its shard later",
  });
}
