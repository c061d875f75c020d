import type { KubeError } from "@typekube/core";
import type { RestartReason, SnapshotProgress } from "./watcher/watcher-options.js";
import type { WatcherState } from "./watcher/watcher-state.js";

/** How the cache of an informer is. */
export interface CacheHealth {
  /** What it is doing. */
  readonly state: WatcherState["name"];
  /** Since when, in milliseconds since the epoch. */
  readonly since: number;
  /** Whether it has had a whole picture at least once. */
  readonly synced: boolean;
  /** When the server was last heard, in milliseconds since the epoch. */
  readonly lastContact: number | undefined;
  /**
   * Milliseconds: the cache is no older than this. It counts from the last event or bookmark that the cache shows, or from where its
   * picture began; a picture that is under way is not shown yet. On a quiet collection it grows to a minute and falls with each
   * bookmark; what a server tells from before the version of the cache does not count. Absent before the first picture.
   */
  readonly lagMs: number | undefined;
  /**
   * Since when it cannot follow, in milliseconds since the epoch; absent once it can: after a new picture that is whole, or an event
   * or bookmark of a new watch that is not from before the version of the cache, which on a quiet collection is silent until its first bookmark, for up to a minute.
   */
  readonly stalledSince: number | undefined;
  readonly lastError: KubeError | undefined;
  /** How often continuity was lost. */
  readonly gaps: number;
  /** How often a request was followed by another, by reason; `Ended` is a watch that ended as it should. */
  readonly restarts: Readonly<Partial<Record<RestartReason, number>>>;
  /** Events that were left out because the cache had something newer of the object. */
  readonly staleEvents: number;
  readonly objects: number;
  /** Bytes of lists and watches that were read for it, without any content-encoding: what it asks of the network, not of the memory. */
  readonly bytesRead: number;
  /** How far the picture is that is under way; absent while there is none. */
  readonly progress: SnapshotProgress | undefined;
}

/** How an informer is. */
export interface InformerHealth extends CacheHealth {
  /** The changes that wait for its slowest handler. */
  readonly queued: number;
}
