import { KubeError } from "@typekube/core";
import type { ShardedPart } from "../shards/sharded-work.js";
import type { RunnableGroup } from "./runnable-group.js";

/** Returns a part that runs a group while this replica holds the first shard, which makes it the only one. */
export function partOfFirstShard(group: RunnableGroup): ShardedPart {
  let stopped = Promise.resolve();
  let isHeld = false;
  return {
    begin(shard) {
      if (shard === 0) {
        isHeld = true;
        void stopped.then(() => {
          if (isHeld) {
            group.start();
          }
        });
      }
    },
    follow() {},
    abort() {},
    drained(shard) {
      if (shard === 0) {
        isHeld = false;
        stopped = group.stop(new KubeError("Aborted", "another replica holds the first shard"));
        return stopped;
      }
      return Promise.resolve();
    },
  };
}
