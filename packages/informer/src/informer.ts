import type { KubeObject, Live } from "@typekube/api";
import type { View } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { allowManyListeners, monotonicNow } from "@typekube/core/internal";
import { assertVersion } from "./assert-waiting.js";
import type { CacheUser, SharedCache } from "./cache/shared-cache.js";
import { callSafely } from "./call-safely.js";
import { defaultOnError } from "./default-on-error.js";
import type { Change } from "./handlers/change.js";
import type { ChangeHandler, HandlerHandle, HandlerOptions } from "./handlers/change-handler.js";
import { Subscribers } from "./handlers/subscribers.js";
import { closedError, noOtherShard, notCaughtUp } from "./informer-errors.js";
import type { InformerHealth } from "./informer-health.js";
import {
  type CacheListOptions,
  defaultFailAfterMs,
  type InformerIndexes,
  type InformerOptions,
  type WaitOptions,
  type Written,
} from "./informer-options.js";
import { type InformerIndex, InformerView } from "./informer-view.js";
import { assertWaitOptions } from "./known-options.js";
import type { Shard } from "./shard/shard.js";
import { ShardMover } from "./shard/shard-mover.js";
import { hasReached } from "./store/has-reached.js";
import type { IndexFunction } from "./store/index-table.js";
import { Waiters } from "./waiters.js";

/**
 * A cache of a collection that keeps itself up to date. It starts at once, survives whatever happens to the
 * connection, and ends with `close()`. Informers of one client that follow the same share one watch and one cache.
 *
 * Cached objects are shared: change a copy, never the object itself. (`freeze: true` finds who does.)
 */
export class Informer<
  T extends KubeObject = KubeObject,
  I extends InformerIndexes<T> = InformerIndexes<T>,
> implements AsyncDisposable
{
  /** One function per index: the objects under a value. */
  readonly by: { readonly [N in keyof I]: (value: string) => Live<T>[] };
  #cache: SharedCache<T>;
  #shard: Shard | undefined;
  readonly #namespace: string | undefined;
  readonly #view: InformerView<T>;
  readonly #audience: Subscribers<T>;
  readonly #user: CacheUser<T>;
  readonly #failAt: number;
  readonly #syncWaiters: Waiters;
  readonly #versionWaiters: Waiters;
  readonly #mover: ShardMover<T>;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.#abort();
  #isOpen = true;
  #isAborted = false;
  /** When it was closed, in milliseconds since the epoch. */
  #closedAt = 0;
  #isToldOfEnd = false;
  #closing: Promise<void> | undefined;

  /** @param cacheOf - finds or makes the cache of another part, whose picture is not from before a version, for `reshard`. */
  constructor(
    cache: SharedCache<T>,
    options: InformerOptions<T, I, View> = {},
    cacheOf: (shard: Shard | undefined, notOlderThan: string) => SharedCache<T> = noOtherShard,
  ) {
    const { clock } = cache;
    this.#cache = cache;
    this.#shard = options.shard;
    this.#namespace = options.namespace;
    this.#failAt = monotonicNow(clock) + (options.failAfterMs ?? defaultFailAfterMs);
    const onError = options.onError ?? defaultOnError(`the informer of ${cache.resource}`, clock);
    this.#view = new InformerView(cache, { ...options, onError });
    this.by = this.#view.by as typeof this.by;
    this.#audience = new Subscribers(clock, () => this.#cache.present(), onError);
    this.#syncWaiters = new Waiters(clock);
    this.#versionWaiters = new Waiters(clock);
    this.#signal = options.signal;
    this.#mover = new ShardMover<T>({
      clock,
      current: () => this.#cache,
      cacheOf,
      swap: (...to) => this.#swap(...to),
      onError,
    });
    this.#user = {
      onChanges: (changes) => this.#audience.publish(changes),
      onFirstSnapshot: () => {
        this.#audience.firstSnapshotDone();
        this.#syncWaiters.check();
      },
      onMoved: () => {
        this.#view.forgetSeen();
        this.#versionWaiters.check();
      },
      onError,
      onState: (state) => {
        this.#isToldOfEnd = state.name === "stopped";
        return options.onState?.(state);
      },
      onProgress: options.onProgress ?? (() => {}),
      onRestart: options.onRestart ?? (() => {}),
      onEnd: () => void this.close(),
    };
    if (options.signal?.aborted) {
      this.#abort();
      return;
    }
    allowManyListeners(options.signal);
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (cache.isSynced) {
      this.#audience.firstSnapshotDone();
    }
    cache.join(this.#user);
  }

  /** The version up to which the cache shows the server; "" before the first sync. */
  get resourceVersion(): string {
    return this.#cache.resourceVersion;
  }

  /** Whether the cache has been whole at least once. */
  get isSynced(): boolean {
    return this.#cache.isSynced;
  }

  /** The part that it shows; absent: everything. */
  get shard(): Shard | undefined {
    return this.#shard;
  }

  /** How it is. A closed informer is `stopped`, whatever others do with the cache. */
  get health(): InformerHealth {
    const health = { ...this.#cache.health, queued: this.#audience.queued };
    return this.#isOpen ? health : { ...health, state: "stopped", since: this.#closedAt };
  }

  /**
   * Returns an object by its key: `namespace/name` as the server has them, or `name` for a cluster-wide one. An informer of one
   * namespace also takes the bare name. {@link objectKey} makes the key of an object.
   */
  get(key: string): Live<T> | undefined {
    const isBareName = this.#namespace !== undefined && !key.includes("/");
    return this.#view.get(isBareName ? `${this.#namespace}/${key}` : key);
  }

  /** The cached objects, all or some. */
  list(options: CacheListOptions = {}): Live<T>[] {
    return this.#view.list(options);
  }

  /** The values that an index knows. */
  indexValues(index: (keyof I & string) | (string & {})): string[] {
    return this.#view.indexValues(index);
  }

  /**
   * Adds an index, over what is cached and what comes. Its objects are found through what it returns, and as `by[name]`.
   *
   * @throws {KubeError} `InvalidArgument` when there is an index of that name, or `valuesOf` is no function, `Closed` on a closed informer.
   */
  addIndex(name: string, valuesOf: IndexFunction<Live<T>>): InformerIndex<T> {
    this.#assertOpen();
    return this.#view.addIndex(name, valuesOf);
  }

  /**
   * Tells what a write of one's own returned: `get`, `list` and `by` show it, until the cache has seen as much. Events and handlers
   * are not touched. One that took the object out of this informer's labels hides it; what is of another namespace is ignored.
   *
   * @throws {KubeError} `InvalidArgument` for what no write returned: it has no name or no version.
   */
  mutated(object: Written<T>): void {
    this.#view.mutated(object as Live<T>);
  }

  /**
   * Resolves when the cache is whole for the first time.
   *
   * @throws {KubeError} what is in the way (`Forbidden`, `NotFound`, `HostNotFound` ...) when there is still no picture
   * `failAfterMs` after the start. The informer itself goes on trying.
   */
  async synced(options: WaitOptions = {}): Promise<void> {
    assertWaitOptions(options);
    if (this.isSynced) {
      return;
    }
    this.#assertOpen();
    await this.#syncWaiters.wait({
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? Math.max(0, this.#failAt - monotonicNow(this.#cache.clock)),
      until: () => this.isSynced,
      // Objects that are still arriving are no reason to give up. What failed before they came, such as a streaming list that the server
      // cannot do, is not in the way any more: a picture that fails begins anew with none.
      keepWaiting: () => options.timeoutMs === undefined && this.#cache.isReceiving,
      failure: () =>
        this.#cache.lastError ??
        new KubeError(
          "DeadlineExceeded",
          `the informer of ${this.#cache.resource} has not synced yet`,
        ),
    });
  }

  /**
   * Resolves when the cache shows at least this version: what a write returned is then visible here. Where the server's versions
   * have no order, only the version itself will do.
   *
   * @throws {KubeError} `DeadlineExceeded` after `timeoutMs`; `InvalidArgument` for a version that no write returns ("", "0").
   */
  async caughtUpTo(resourceVersion: string, options: WaitOptions = {}): Promise<void> {
    assertWaitOptions(options);
    assertVersion(resourceVersion);
    const reached = () => hasReached(this.resourceVersion, resourceVersion);
    if (reached()) {
      return;
    }
    this.#assertOpen();
    await this.#versionWaiters.wait({
      ...options,
      until: reached,
      failure: () => notCaughtUp(this.#cache, resourceVersion),
    });
  }

  /**
   * Goes over to another part of the objects, as workers come and go. The part so far stays, and is followed, until the new one is
   * whole; then handlers hear of what is new as adds, and of what another worker has from now on as deletions with `moved`.
   * A later call takes the place of one that is under way.
   *
   * @param shard - absent: everything.
   * @throws {KubeError} `DeadlineExceeded`, or what is in the way, after `timeoutMs` (default: no limit); `Aborted` when another call took
   * its place; `InvalidArgument` for a part that cannot be. The part so far then stays.
   */
  async reshard(shard: Shard | undefined, options: WaitOptions = {}): Promise<void> {
    assertWaitOptions(options);
    this.#assertOpen();
    await this.#mover.move(shard && { ...shard }, options);
  }

  /**
   * Calls a handler for what is there and for every change after it, in order. Each handler has its own pace.
   *
   * @throws {KubeError} `InvalidArgument` for a handler without a method that changes are told to, `Closed` on a closed informer.
   */
  onChange(handler: ChangeHandler<T>, options: HandlerOptions<T> = {}): HandlerHandle {
    this.#assertOpen();
    return this.#audience.add(handler, options);
  }

  /** Calls `update` of every handler of this informer for every cached object, with the same object twice. */
  resync(): void {
    this.#audience.resync();
  }

  /**
   * The changes from now on, what is there first, for `for await`. A slow reader gets the last state of each object; each
   * call has its own cursor. Ends when the informer is closed.
   */
  changes(): AsyncIterableIterator<Change<T>> {
    this.#assertOpen();
    return this.#audience.stream();
  }

  /**
   * Ends everything: no handler runs after it resolves, and no request is open unless another informer shares the watch. Can be
   * called again. It waits for the handlers in progress, so a handler may call it but must not await it.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    const closed = () => this.#closedError();
    const tellsFailure = !this.isSynced && !this.#isAborted;
    const reason = () => (tellsFailure ? (this.#cache.lastError ?? closed()) : closed());
    this.#isOpen = false;
    this.#closedAt = this.#cache.clock.now();
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#mover.cancel(closed());
    const handlersDone = this.#audience.removeAll();
    this.#audience.endStreams();
    this.#syncWaiters.failAll(reason);
    this.#versionWaiters.failAll(closed);
    await Promise.all([this.#cache.leave(this.#user), this.#mover.ended(), handlersDone]);
    // Not before: handlers in progress look things up.
    if (this.#cache.isUsed) {
      this.#view.close();
    }
    if (!this.#isToldOfEnd) {
      // It left before the watch stopped, which goes on where others use it.
      callSafely(() => this.#user.onState({ name: "stopped" }));
    }
  }

  async #swap(
    to: SharedCache<T>,
    shard: Shard | undefined,
    changes: readonly Change<T>[],
  ): Promise<void> {
    const from = this.#cache;
    this.#view.moveTo(to, shard);
    this.#cache = to;
    this.#shard = shard;
    to.join(this.#user);
    const left = from.leave(this.#user);
    this.#user.onChanges(changes);
    this.#user.onFirstSnapshot();
    this.#user.onMoved();
    await left;
  }

  #assertOpen(): void {
    if (!this.#isOpen) {
      throw this.#closedError();
    }
  }

  #abort(): void {
    this.#isAborted = true;
    void this.close();
  }

  #closedError(): KubeError {
    return closedError(this.#isAborted ? this.#signal?.reason : undefined);
  }
}
