import { formatFieldSelector, formatLabelSelector } from "@typekube/core";
import { copyOf, type Shard } from "../shard/shard.js";
import type { WatcherOptions } from "../watcher/watcher-options.js";

/** Copies the options, so that changing them later has no effect. */
export function ownOptions<O extends WatcherOptions & { readonly shard?: Shard | undefined }>(
  options: O,
): O {
  const { labelSelector, fieldSelector, shard, backoff } = options;
  return {
    ...options,
    labelSelector: labelSelector && formatLabelSelector(labelSelector),
    fieldSelector: fieldSelector && formatFieldSelector(fieldSelector),
    shard: shard && copyOf(shard),
    backoff: backoff && { ...backoff },
  };
}
