import { isComparableResourceVersion, KubeError } from "@typekube/core";
import type { Client } from "typekube";
import { type Hold, holdWatches } from "../faults/hold.js";
import { type DumpOptions, dump } from "../server/dump.js";
import { type LoadSource, load } from "../server/load.js";
import { assertLag, type Follower, type Lag } from "../server/replicas/follower.js";
import type { Store } from "../store/store.js";
import type { WatchDetails, WatchSelector } from "../store/watch-hub.js";
import { isSteady, type SteadyOptions } from "../time/is-steady.js";
import { type SettledOptions, settled } from "../time/settled.js";
import { createReplica, type Replica, type ReplicaParts } from "./replica.js";

/** An immutable snapshot of a server's objects. It costs memory only for what is written afterwards. */
export interface Snapshot {
  /** The resourceVersion of the last write in the snapshot. */
  readonly resourceVersion: string;
}

/** Controls for tests beyond the API. */
export interface ApiServerControl {
  /** The open watches, oldest first. */
  readonly watches: readonly WatchDetails[];
  /**
   * Waits until the server is idle: no request, unread event, due timer of a virtual clock or controller work is left.
   *
   * @throws {KubeError} `DeadlineExceeded` when that takes too long.
   */
  settled(options?: SettledOptions): Promise<void>;
  /** Advances the virtual clock and returns whether nothing was written in that time. */
  isSteady(options?: SteadyOptions): Promise<boolean>;
  /** Holds back watch events until they are released. */
  hold(choice?: WatchSelector): Hold;
  /** Takes a snapshot of all objects. The cost does not depend on their number. */
  snapshot(): Snapshot;
  /**
   * Restores a snapshot, like a cluster whose etcd was restored: resourceVersions go backwards, and watches break. As
   * with real servers, clients with later resourceVersions get no notice; their next list corrects them.
   *
   * @param options - with `bumpVersions`, resourceVersions continue to rise and all older ones expire with 410, like
   * etcd's `--bump-revision` with `--mark-compacted`: clients then relist at once.
   * @throws {KubeError} `InvalidArgument` for an object that `snapshot()` did not return.
   */
  restore(snapshot: Snapshot, options?: { readonly bumpVersions?: boolean | undefined }): void;
  /**
   * Discards history up to a resourceVersion, by default all: older watches, continue tokens and exact lists expire,
   * including those of replicas.
   *
   * @throws {KubeError} `InvalidArgument` for an invalid resourceVersion.
   */
  compact(resourceVersion?: string): void;
  /** Loads objects from text, from objects, or from `{ path }` of a file or folder; returns their number. */
  load(source: LoadSource): Promise<number>;
  /** Dumps all objects as YAML that {@link load} and kubectl can read. */
  dump(options?: DumpOptions): Promise<string>;
  /** Starts a second server over the same store that lags behind. Default lag: it sees no write until `catchUp()`. */
  replica(lag?: Lag): Replica;
}

const stores = new WeakMap<Snapshot, Store>();

/** Creates the controls of one server. */
export function createControl(
  parts: ReplicaParts,
  client: () => Promise<Client>,
  hasListeners: () => boolean,
): Omit<ApiServerControl, "watches"> {
  const { context } = parts;
  const { store, watches } = context;
  const followers: Follower[] = [];
  const settle = (options: SettledOptions = {}) => settled(context, options, hasListeners);
  return {
    settled: settle,
    isSteady: (options) => isSteady(context, settle, options),
    hold: (choice = {}) => holdWatches(watches, choice),
    snapshot() {
      const snapshot = { resourceVersion: String(store.revision) };
      stores.set(snapshot, store.fork());
      return snapshot;
    },
    restore(snapshot, { bumpVersions = false } = {}) {
      const kept = stores.get(snapshot);
      if (kept === undefined) {
        throw new KubeError("InvalidArgument", "restore() takes a value returned by snapshot()");
      }
      watches.drop();
      store.restore(kept, bumpVersions);
      for (const follower of followers) {
        follower.reset();
      }
    },
    compact(version) {
      if (version !== undefined && !isComparableResourceVersion(version)) {
        throw new KubeError(
          "InvalidArgument",
          `compact() takes a resourceVersion of this server, not ${JSON.stringify(version)}`,
        );
      }
      const revision = version === undefined ? store.revision : BigInt(version);
      store.compact(revision);
      for (const follower of followers) {
        follower.store.compact(revision);
      }
    },
    load: (source) => load(context, source, client),
    dump: (options) => dump(context, options),
    replica(lag = {}) {
      assertLag(lag);
      const { replica, follower } = createReplica(parts, lag);
      followers.push(follower);
      return replica;
    },
  };
}
