import type { KubeError } from "@typekube/core";
import type { RestartReason, SnapshotProgress } from "../watcher/watcher-options.js";
import type { WatcherState } from "../watcher/watcher-state.js";

/** Health of an informer's cache. */
export interface CacheHealth {
  /** Current state of the watcher. */
  readonly state: WatcherState["name"];
  /** Start of the current state, in milliseconds since the epoch. */
  readonly since: number;
  /** `true` once the first snapshot was complete. */
  readonly synced: boolean;
  /** Time of the last event from the server, in milliseconds since the epoch. */
  readonly lastContact: number | undefined;
  /**
   * Maximum age of the cache, in milliseconds. Counts from the last event or bookmark that the cache reflects, or from
   * the start of its last snapshot; a snapshot in progress does not count yet. On a quiet collection it grows to a
   * minute and falls with each bookmark. Events older than the cache's resourceVersion don't count. Absent before the
   * first snapshot.
   */
  readonly lagMs: number | undefined;
  /**
   * Time since which the cache can't follow the server, in milliseconds since the epoch. Absent once it can: after a
   * complete new snapshot, or after an event or bookmark of a new watch that is not older than the cache's
   * resourceVersion. A watch of a quiet collection sends nothing until its first bookmark, for up to a minute.
   */
  readonly stalledSince: number | undefined;
  /** The last failure of a request, also after a recovery; `undefined` before the first failure. */
  readonly lastError: KubeError | undefined;
  /** Number of times that continuity was lost. */
  readonly gaps: number;
  /** Number of requests that were followed by another, by reason. `Ended` is a watch that ended normally. */
  readonly restarts: Readonly<Partial<Record<RestartReason, number>>>;
  /** Number of events left out because the cache had a newer state of the object. */
  readonly staleEvents: number;
  /**
   * Fields that are kept of each object; absent for whole objects. An informer may share a cache that keeps more than it
   * asked for.
   */
  readonly fields: readonly string[] | undefined;
  /** Number of informers that share the watch and the cache. */
  readonly informers: number;
  /** Number of cached objects. */
  readonly objects: number;
  /** Bytes of lists and watches read for this cache, counted after decompression. Measures network traffic, not memory. */
  readonly bytesRead: number;
  /** Progress of the current snapshot; absent when none is in progress. */
  readonly progress: SnapshotProgress | undefined;
}

/** Health of an informer. */
export interface InformerHealth extends CacheHealth {
  /** Number of changes queued for the slowest handler. */
  readonly queued: number;
}
