import type { KubeError } from "@typekube/core";
import type { Leadership } from "../election/leadership.js";

/** The work of the shards that a replica holds. */
export interface ShardWork {
  /** Begins the work of a shard. */
  begin(shard: number, leadership: Leadership): void;
  /**
   * Ends the work of a shard; resolves when all of it has ended.
   *
   * @param isStopping - `true` when the replica stops: runs are aborted. Otherwise they come to their own end; called
   * again with `true` when the replica stops before they have.
   */
  end(shard: number, reason: KubeError, isStopping: boolean): Promise<void>;
  /** Called when a shard was released after its work had ended. */
  released(shard: number): void;
  /** Called when a shard was lost: its fence is closed, and its runs have to end. */
  lost(shard: number, error: KubeError): void;
}
