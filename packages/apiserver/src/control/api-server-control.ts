import { isComparableResourceVersion, KubeError } from "@typekube/core";
import type { Client } from "typekube";
import type { Store } from "../store/store.js";
import type { WatchChoice, WatchFacts } from "../watch/watch-hub.js";
import { type DumpOptions, dump } from "./dump.js";
import { assertLag, type Follower, type Lag } from "./follower.js";
import { type Hold, holdWatches } from "./hold.js";
import { isSteady, type SteadyOptions } from "./is-steady.js";
import { type LoadSource, load } from "./load.js";
import { createReplica, type Replica, type ReplicaParts } from "./replica.js";
import { type SettledOptions, settled } from "./settled.js";

/** Everything that was in a server at one moment. It does not change any more, and costs what is written afterwards. */
export interface Snapshot {
  /** The version of the last write in it. */
  readonly resourceVersion: string;
}

/** What tests do with a server besides talking to it. */
export interface ApiServerControl {
  /** The watches that are open, oldest first. */
  readonly watches: readonly WatchFacts[];
  /**
   * Waits until nothing happens any more: no request, no unread event, no timer of a virtual clock that is due, no work of
   * controllers.
   *
   * @throws {KubeError} `DeadlineExceeded` when that takes too long.
   */
  settled(options?: SettledOptions): Promise<void>;
  /** Lets time pass on the virtual clock and tells whether nothing was written meanwhile. */
  isSteady(options?: SteadyOptions): Promise<boolean>;
  /** Holds back the events of watches until they are released. */
  hold(choice?: WatchChoice): Hold;
  /** Remembers everything as it is. Takes no longer for many objects than for few. */
  snapshot(): Snapshot;
  /**
   * Goes back to a snapshot, as a cluster whose etcd was restored: versions go backwards, and watches break off. As with
   * real servers, clients that know later versions are not told; they are right after their next list.
   *
   * @param options - `bumpVersions` counts on instead and answers what is known with 410, as etcd's `--bump-revision` with
   * `--mark-compacted` does: then clients list at once.
   * @throws {KubeError} `InvalidArgument` for what this package did not make.
   */
  restore(snapshot: Snapshot, options?: { readonly bumpVersions?: boolean }): void;
  /**
   * Forgets history up to a version, by default all of it: older watches, pages and exact lists expire, those of replicas too.
   *
   * @throws {KubeError} `InvalidArgument` for what is no version.
   */
  compact(resourceVersion?: string): void;
  /** Puts objects into the server, from text, from objects, or from `{ path }` of a file or folder; returns how many. */
  load(source: LoadSource): Promise<number>;
  /** Writes everything down as YAML that {@link load} and kubectl can read. */
  dump(options?: DumpOptions): Promise<string>;
  /** Starts a second server over the same store, which lags behind. Default: until it is told to catch up. */
  replica(lag?: Lag): Replica;
}

const stores = new WeakMap<Snapshot, Store>();

/** Makes the controls of one server. */
export function createControl(
  parts: ReplicaParts,
  client: () => Promise<Client>,
  hasListeners: () => boolean,
): ApiServerControl {
  const { context } = parts;
  const { store, watches } = context;
  const followers: Follower[] = [];
  const settle = (options: SettledOptions = {}) => settled(context, options, hasListeners);
  return {
    get watches() {
      return watches.all().map(({ id, resource, namespace, user }) => ({
        id,
        resource,
        namespace,
        user,
      }));
    },
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
