import type { FeatureGates } from "../../resources/feature-gates.js";
import { readShardSelector, type ShardSelector } from "./shard-selector.js";

/**
 * Returns the shard requested by a list or watch; `undefined` for all objects. With the gate off the parameter is
 * ignored.
 */
export function shardOfRequest(
  { gates }: { readonly gates: FeatureGates },
  { shardSelector }: { readonly shardSelector: string },
): ShardSelector | undefined {
  return gates.ShardedListAndWatch && shardSelector !== ""
    ? readShardSelector(shardSelector)
    : undefined;
}
