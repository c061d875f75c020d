import type { ServerContext } from "../server-context.js";
import { readShardSelector, type ShardSelector } from "./shard-selector.js";

/** The shard that a list or watch asks for; `undefined` for all. With the gate off nobody looks at the parameter. */
export function shardOfRequest(
  { gates }: Pick<ServerContext, "gates">,
  { shardSelector }: { readonly shardSelector: string },
): ShardSelector | undefined {
  return gates.ShardedListAndWatch && shardSelector !== ""
    ? readShardSelector(shardSelector)
    : undefined;
}
