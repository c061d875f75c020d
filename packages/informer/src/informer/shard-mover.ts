import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { type Clock, type LinkedAbort, linkAbort } from "@typekube/core/internal";
import type { CacheUser, SharedCache } from "../cache/shared-cache.js";
import type { Change } from "../events/change.js";
import type { WaitOptions } from "../options/wait-options.js";
import { assertShard, type Shard, shardFilter } from "../shard/shard.js";
import { isSameState, type Store } from "../store/store.js";
import { isOlderVersion } from "../versions/is-older-version.js";
import { Waiters } from "../waits/waiters.js";
import { changesBetween } from "./changes-between.js";

/** The informer that switches its shard. */
export interface MovingInformer<T extends KubeObject> {
  readonly clock: Clock;
  /** Returns the cache in use. */
  current(): SharedCache<T>;
  /** Returns the shard in use. */
  shard(): Shard | undefined;
  /**
   * Returns the cache of another shard, possibly one in use already. A new one must not start older than the
   * resourceVersion.
   */
  cacheOf(shard: Shard | undefined, notOlderThan: string): SharedCache<T>;
  /** Switches to the other cache and publishes the resulting changes. */
  swap(to: SharedCache<T>, shard: Shard | undefined, changes: readonly Change<T>[]): Promise<void>;
  onError(error: KubeError): void;
}

/** Returns true when a store still has, under one of these keys, an object older than the key's resourceVersion. */
function hasBefore<T extends KubeObject>(
  store: Store<T>,
  versions: ReadonlyMap<string, string>,
): boolean {
  return [...versions].some(([key, version]) => {
    const object = store.get(key);
    return object !== undefined && isOlderVersion(object.metadata.resourceVersion, version);
  });
}

function filterOf(shard: Shard | undefined): (object: KubeObject) => boolean {
  return shard === undefined ? () => true : shardFilter(shard);
}

const quiet = {
  isListening: () => false,
  onChanges: () => {},
  onFirstSnapshot: () => {},
  onMoved: () => {},
  onError: () => {},
  onState: () => {},
  onProgress: () => {},
  onRestart: () => {},
  onEnd: () => {},
};

/**
 * Switches an informer from one shard to another. The old shard is followed until the new one is complete and not
 * behind for the objects that both have; then the new one takes over in one step. A later move replaces one in
 * progress.
 */
export class ShardMover<T extends KubeObject> {
  readonly #informer: MovingInformer<T>;
  #underWay: LinkedAbort | undefined;
  /** Moves that have not released their caches yet. */
  readonly #moves = new Set<Promise<void>>();

  constructor(informer: MovingInformer<T>) {
    this.#informer = informer;
  }

  /** Cancels the move in progress; the old shard stays. */
  cancel(reason: KubeError): void {
    this.#underWay?.abort(reason);
  }

  /** Resolves when no move is in progress and none of their requests is open. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#moves);
  }

  /** @throws {KubeError} see `Informer.reshard`. */
  async move(shard: Shard | undefined, options: WaitOptions): Promise<void> {
    const move = this.#move(shard, options);
    this.#moves.add(move);
    try {
      await move;
    } finally {
      this.#moves.delete(move);
    }
  }

  async #move(shard: Shard | undefined, { signal, timeoutMs }: WaitOptions): Promise<void> {
    if (shard !== undefined) {
      assertShard(shard);
    }
    const informer = this.#informer;
    const from = informer.current();
    // Everything shown so far, deletions included, is not newer than this. Showing anything older would be a step back.
    let shown = from.resourceVersion;
    const to = informer.cacheOf(shard, shown);
    this.cancel(new KubeError("Aborted", "another shard was requested in the meantime"));
    if (to === from) {
      return;
    }
    using abort = linkAbort(signal);
    this.#underWay = abort;
    const belongs = filterOf(shard);
    const belonged = filterOf(informer.shard());
    /**
     * Changed keys outside the new shard, with their resourceVersions. Under such a key the new shard may still have an
     * older object.
     */
    const elsewhere = new Map<string, string>();
    const waiters = new Waiters(informer.clock);
    const old: CacheUser<T> = {
      ...quiet,
      isListening: () => true,
      onChanges: (changes) => {
        for (const change of changes) {
          const { object } = change;
          // A deletion that was missed, or made by a transform, has no resourceVersion of its own; that of the store is
          // an upper bound.
          const hasNoVersion = change.type === "delete" && isSameState(object, change.previous);
          const { resourceVersion } = hasNoVersion ? from : object.metadata;
          // The new shard's watch receives this change too. Of other changes it may learn only with a bookmark, up to a
          // minute later.
          if (!belongs(object)) {
            elsewhere.set(change.key, resourceVersion);
          } else if (!isOlderVersion(resourceVersion, shown)) {
            shown = resourceVersion;
          }
        }
      },
    };
    const next: CacheUser<T> = {
      ...quiet,
      onMoved: () => waiters.check(),
      onError: (error) => informer.onError(error),
      onEnd: () => waiters.failAll(() => to.lastError),
    };
    let swapped: Promise<void> | undefined;
    const swapWhenReady = () => {
      const { resourceVersion } = to;
      const isBehind =
        // Unless the server was restored from a backup, and the old cache with it.
        isOlderVersion(resourceVersion, from.resourceVersion) &&
        (isOlderVersion(resourceVersion, shown) || hasBefore(to.store, elsewhere));
      const isReady = to.isSynced && !isBehind;
      if (isReady) {
        const changes = changesBetween(from.store, to.store, {
          belongs,
          belonged,
          initial: !from.isSynced,
        });
        swapped = informer.swap(to, shard, changes);
      }
      return isReady;
    };
    from.join(old);
    to.join(next);
    try {
      await waiters.wait({
        signal: abort.signal,
        timeoutMs,
        until: swapWhenReady,
        failure: () =>
          to.lastError ??
          new KubeError("DeadlineExceeded", `the new shard did not sync within ${timeoutMs} ms`),
      });
    } finally {
      if (this.#underWay === abort) {
        this.#underWay = undefined;
      }
      await Promise.all([from.leave(old), to.leave(next)]);
    }
    await swapped;
  }
}
