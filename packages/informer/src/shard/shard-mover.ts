import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { type Clock, type LinkedAbort, linkAbort } from "@typekube/core/internal";
import type { CacheUser, SharedCache } from "../cache/shared-cache.js";
import type { Change } from "../handlers/change.js";
import type { WaitOptions } from "../informer-options.js";
import { isOlderVersion } from "../store/is-older-version.js";
import { isSameState, type Store } from "../store/store.js";
import { Waiters } from "../waiters.js";
import { changesBetween } from "./changes-between.js";
import { assertShard, type Shard, shardFilter } from "./shard.js";

/** The informer that moves. */
export interface MovingInformer<T extends KubeObject> {
  readonly clock: Clock;
  /** The cache that it shows. */
  current(): SharedCache<T>;
  /** The cache of another part, perhaps one that is in use already; a new one begins not before the version. */
  cacheOf(shard: Shard | undefined, notOlderThan: string): SharedCache<T>;
  /** Shows the other cache from now on, and tells of what that changes. */
  swap(to: SharedCache<T>, shard: Shard | undefined, changes: readonly Change<T>[]): Promise<void>;
  onError(error: KubeError): void;
}

/** Whether a store has what was under one of these keys before the version. */
function hasBefore<T extends KubeObject>(
  store: Store<T>,
  versions: ReadonlyMap<string, string>,
): boolean {
  return [...versions].some(([key, version]) => {
    const object = store.get(key);
    return object !== undefined && isOlderVersion(object.metadata.resourceVersion, version);
  });
}

const quiet = {
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
 * Takes an informer from one part of a collection to another. The old part is followed until the new one is whole and not behind in
 * what both have; then one takes the other's place in one step. A later move takes the place of one under way.
 */
export class ShardMover<T extends KubeObject> {
  readonly #informer: MovingInformer<T>;
  #underWay: LinkedAbort | undefined;
  /** Those that have not let go of their caches yet. */
  readonly #moves = new Set<Promise<void>>();

  constructor(informer: MovingInformer<T>) {
    this.#informer = informer;
  }

  /** Ends a move that is under way; the old part stays. */
  cancel(reason: KubeError): void {
    this.#underWay?.abort(reason);
  }

  /** Resolves when nothing of any move is under way: no request of theirs is open. */
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
    // Whatever was shown so far, deletions too, is from before this. Showing anything older would be a step back.
    let shown = from.resourceVersion;
    const to = informer.cacheOf(shard, shown);
    this.cancel(new KubeError("Aborted", "another shard was requested in the meantime"));
    if (to === from) {
      return;
    }
    using abort = linkAbort(signal);
    this.#underWay = abort;
    const belongs = shard === undefined ? () => true : shardFilter(shard);
    /** Of what the new part does not hear: keys, under which it may still have another object from before. */
    const elsewhere = new Map<string, string>();
    const waiters = new Waiters(informer.clock);
    const old: CacheUser<T> = {
      ...quiet,
      onChanges: (changes) => {
        for (const change of changes) {
          const { object } = change;
          // Of a deletion that was missed, or that a transform made, the version is not told: it is not after what was taken in.
          const hasNoVersion = change.type === "delete" && isSameState(object, change.previous);
          const { resourceVersion } = hasNoVersion ? from : object.metadata;
          // The new part hears of this too; of what else happens meanwhile it may not hear for a minute.
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
        // Unless the server was set back, and what is shown now with it.
        isOlderVersion(resourceVersion, from.resourceVersion) &&
        (isOlderVersion(resourceVersion, shown) || hasBefore(to.store, elsewhere));
      const isReady = to.isSynced && !isBehind;
      if (isReady) {
        const changes = changesBetween(from.store, to.store, belongs, !from.isSynced);
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
