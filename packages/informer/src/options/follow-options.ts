import type { View } from "@typekube/client/internal";
import { amount, type OptionTable } from "@typekube/core/internal";
import type { Shard } from "../shard/shard.js";
import { type WatcherOptions, watcherOptions } from "../watcher/watcher-options.js";
import { view } from "./view.js";

/** Options of `follow`. It yields whole objects unless `V` says otherwise. */
export interface FollowOptions<V extends View = "full"> extends WatcherOptions {
  /**
   * Default: all namespaces, or a cluster-wide resource. An explicit `undefined` is rejected, as it is usually an unset
   * variable.
   */
  readonly namespace?: string;
  /**
   * One shard of the objects, when several workers divide them. Default: all objects. Can't be combined with
   * `shardSelector`.
   */
  readonly shard?: Shard | undefined;
  /** `metadata` follows only the metadata of the objects. Default `full`. */
  readonly view?: V | undefined;
  /**
   * Maximum number of events that wait while the reader is busy. Beyond this, the events of each object are coalesced
   * into the last one: a slow reader misses intermediate states, but never the last one. Default 1,000;
   * `Number.POSITIVE_INFINITY` never coalesces.
   */
  readonly maxBufferedEvents?: number | undefined;
  /**
   * Maximum number of objects whose changes wait while the reader is busy. Beyond this, reading from the server stops
   * and the waiting changes are dropped; when the reader continues, it gets a `gap` and a new snapshot. Default 10,000.
   * A snapshot itself is always read completely.
   */
  readonly maxBufferedObjects?: number | undefined;
  /** Ends the iteration when it aborts, without an error. */
  readonly signal?: AbortSignal | undefined;
}

/** Names and checks of {@link FollowOptions}. */
export const followOptions: OptionTable<FollowOptions> = {
  ...watcherOptions,
  maxBufferedEvents: amount,
  maxBufferedObjects: amount,
  namespace: true,
  shard: true,
  signal: true,
  view,
};
