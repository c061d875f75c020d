import type { KubeObject, Live } from "@typekube/api";
import type { View } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { allowManyListeners, monotonicNow } from "@typekube/core/internal";
import type { CacheUser, SharedCache } from "./cache/shared-cache.js";
import { callSafely } from "./callbacks/call-safely.js";
import { defaultOnError } from "./callbacks/default-on-error.js";
import type { Change } from "./events/change.js";
import type { ChangeHandler, HandlerHandle } from "./handlers/change-handler.js";
import { Subscribers } from "./handlers/subscribers.js";
import type { InformerHealth } from "./health/informer-health.js";
import { closedError, noOtherShard, notCaughtUp } from "./informer/informer-errors.js";
import { type InformerIndex, InformerView } from "./informer/informer-view.js";
import { newsFilter } from "./informer/news-filter.js";
import { ShardMover } from "./informer/shard-mover.js";
import type { CacheListOptions } from "./options/cache-list-options.js";
import type { HandlerOptions } from "./options/handler-options.js";
import {
  defaultFailAfterMs,
  type InformerIndexes,
  type InformerOptions,
  type Written,
} from "./options/informer-options.js";
import type { ProjectionOptions } from "./options/projection-options.js";
import { assertWaitOptions, type WaitOptions } from "./options/wait-options.js";
import { copyOf, type Shard } from "./shard/shard.js";
import type { IndexFunction } from "./store/index-table.js";
import { hasReached } from "./versions/has-reached.js";
import { assertVersion } from "./waits/assert-waiting.js";
import { Waiters } from "./waits/waiters.js";

/**
 * A cache of a collection that keeps itself up to date. It starts at once, survives connection failures of any kind,
 * and ends with `close()`. Informers of one client with the same kind and options share one watch and one cache.
 *
 * Cached objects are shared: modify a copy, never the object itself. (`freeze: true` finds code that does.)
 */
export class Informer<
  T extends KubeObject = KubeObject,
  I extends InformerIndexes<T> = InformerIndexes<T>,
> implements AsyncDisposable
{
  /** Lookup functions by index name. Each returns the objects with a value. */
  readonly by: { readonly [N in keyof I]: (value: string) => Live<T>[] };
  #cache: SharedCache<T>;
  #shard: Shard | undefined;
  readonly #namespace: string | undefined;
  readonly #view: InformerView<T>;
  readonly #subscribers: Subscribers<T>;
  readonly #user: CacheUser<T>;
  readonly #failAt: number;
  readonly #syncWaiters: Waiters;
  readonly #versionWaiters: Waiters;
  readonly #mover: ShardMover<T>;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.#abort();
  #isOpen = true;
  #isAborted = false;
  /** Time of `close()`, in milliseconds since the epoch. */
  #closedAt = 0;
  #isStopReported = false;
  /** Error that ended the informer. */
  #failure: KubeError | undefined;
  readonly #onError: (error: KubeError) => void;
  #closing: Promise<void> | undefined;

  /**
   * @internal
   * @param cacheOf - returns the cache of another shard, for `reshard`; its snapshot must not be older than the given
   * resourceVersion.
   */
  constructor(
    cache: SharedCache<T>,
    options: InformerOptions<T, I, View> & ProjectionOptions = {},
    cacheOf: (shard: Shard | undefined, notOlderThan: string) => SharedCache<T> = noOtherShard,
  ) {
    const { clock } = cache;
    this.#cache = cache;
    this.#shard = options.shard;
    this.#namespace = options.namespace;
    this.#failAt = monotonicNow(clock) + (options.failAfterMs ?? defaultFailAfterMs);
    const onError = options.onError ?? defaultOnError(`the informer of ${cache.resource}`, clock);
    this.#onError = onError;
    this.#view = new InformerView(cache, { ...options, onError });
    this.by = this.#view.by as typeof this.by;
    this.#subscribers = new Subscribers(clock, () => this.#cache.present(), onError);
    this.#syncWaiters = new Waiters(clock);
    this.#versionWaiters = new Waiters(clock);
    this.#signal = options.signal;
    this.#mover = new ShardMover<T>({
      clock,
      current: () => this.#cache,
      shard: () => this.#shard,
      cacheOf,
      swap: (...to) => this.#swap(...to),
      onError,
    });
    const isNews = newsFilter<T>(options);
    this.#user = {
      isListening: () => this.#subscribers.isUsed,
      onChanges: (changes) => this.#subscribers.publish(isNews ? changes.filter(isNews) : changes),
      onFirstSnapshot: () => {
        this.#subscribers.firstSnapshotDone();
        this.#syncWaiters.check();
      },
      onMoved: () => {
        this.#view.forgetSeen();
        this.#versionWaiters.check();
      },
      onError,
      onState: (state) => {
        this.#isStopReported = state.name === "stopped";
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
      this.#subscribers.firstSnapshotDone();
    }
    cache.join(this.#user);
  }

  /** The resourceVersion up to which the cache reflects the server; "" before the first sync. */
  get resourceVersion(): string {
    return this.#cache.resourceVersion;
  }

  /** `true` once the first snapshot was complete. */
  get isSynced(): boolean {
    return this.#cache.isSynced;
  }

  /** Current shard; `undefined` for the whole collection. */
  get shard(): Shard | undefined {
    return this.#shard;
  }

  /** Current health. A closed informer is `stopped`, even while others use the cache. */
  get health(): InformerHealth {
    const health = { ...this.#cache.health, queued: this.#subscribers.queued };
    return this.#isOpen ? health : { ...health, state: "stopped", since: this.#closedAt };
  }

  /**
   * Returns an object by its key: `namespace/name` as on the server, or `name` for a cluster-wide object. An informer
   * of one namespace also takes the bare name. {@link objectKey} returns the key of an object.
   */
  get(key: string): Live<T> | undefined {
    const isBareName = this.#namespace !== undefined && !key.includes("/");
    return this.#view.get(isBareName ? `${this.#namespace}/${key}` : key);
  }

  /**
   * Returns the cached objects, all or those of a namespace or label selector: namespaces, and the objects of each, in
   * order of arrival.
   */
  list(options: CacheListOptions = {}): Live<T>[] {
    return this.#view.list(options);
  }

  /** Returns all values of an index. */
  indexValues(index: (keyof I & string) | (string & {})): string[] {
    return this.#view.indexValues(index);
  }

  /**
   * Adds an index over current and future objects. Look objects up with the returned index, or with `by[name]`.
   *
   * @throws {KubeError} `InvalidArgument` when the name is taken or `valuesOf` is not a function, `Closed` on a closed
   * informer.
   */
  addIndex(name: string, valuesOf: IndexFunction<Live<T>>): InformerIndex<T> {
    this.#assertOpen();
    return this.#view.addIndex(name, valuesOf);
  }

  /**
   * Records the result of your own write: `get`, `list` and `by` show it until the cache has caught up. Changes and
   * handlers are not affected. A write that took the object out of the informer's label selector hides it; objects of
   * another namespace or shard are ignored.
   *
   * @throws {KubeError} `InvalidArgument` for an object without a name or a resourceVersion, which no write returns.
   */
  mutated(object: Written<T>): void {
    this.#view.mutated(object as Live<T>);
  }

  /**
   * Resolves when the first snapshot is complete.
   *
   * @throws {KubeError} the last failure (`Forbidden`, `NotFound`, `HostNotFound` ...) when there is still no snapshot
   * `failAfterMs` after the start, or later if objects are still arriving. The informer itself continues to retry.
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
      // Keep waiting while objects arrive. Earlier failures, such as an unsupported streaming list, don't matter then:
      // after a failure the next snapshot starts with no objects.
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
   * Resolves when the cache has reached this resourceVersion: a write that returned it is then visible here. When the
   * server's resourceVersions have no order, only the same resourceVersion counts.
   *
   * @throws {KubeError} `DeadlineExceeded` after `timeoutMs`; `InvalidArgument` for a resourceVersion that no write
   * returns ("", "0").
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
   * Switches to another shard of the objects, as workers come and go. The current shard stays, and is followed, until
   * the new one is complete. Handlers then receive an add for each new object, and a delete with `moved` for each
   * object that another worker follows from now on. A later call replaces one in progress.
   *
   * @param shard - new shard, or several of them; `undefined` for the whole collection.
   * @throws {KubeError} `DeadlineExceeded` or the last failure after `timeoutMs` (default: no limit); `Aborted` when a
   * later call replaced this one; `InvalidArgument` for an invalid shard. The current shard then stays.
   */
  async reshard(shard: Shard | undefined, options: WaitOptions = {}): Promise<void> {
    assertWaitOptions(options);
    this.#assertOpen();
    await this.#mover.move(shard && copyOf(shard), options);
  }

  /**
   * Adds a handler. It is called for the cached objects and then for every change, in order. Each handler has its own
   * queue.
   *
   * @throws {KubeError} `InvalidArgument` for a handler without a method for changes, `Closed` on a closed informer.
   */
  onChange(handler: ChangeHandler<T>, options: HandlerOptions<T> = {}): HandlerHandle {
    this.#assertOpen();
    return this.#subscribers.add(handler, options);
  }

  /**
   * Queues a resync for every handler of this informer: `update` is called for every cached object, with the same
   * object twice. Skips objects for which the handler has a queued change: it is called for those anyway.
   */
  resync(): void {
    this.#subscribers.resync();
  }

  /**
   * Returns an async iterator over changes, which first yields the cached objects. A slow reader gets the last state of
   * each object; each call has its own queue. Ends when the informer is closed.
   */
  changes(): AsyncIterableIterator<Change<T>> {
    this.#assertOpen();
    return this.#subscribers.stream();
  }

  /**
   * Closes the informer. After the promise resolves, no handler runs, and no request is open unless another informer
   * shares the watch. Can be called repeatedly. Waits for handlers in progress, so a handler may call it but must not
   * await it.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Ends the informer with an error that a retry does not heal.
   *
   * @internal
   */
  fail(error: unknown): void {
    if (this.#isOpen) {
      const failure = KubeError.from(error);
      this.#failure = failure;
      callSafely(() => this.#onError(failure));
      void this.close();
    }
  }

  async #close(): Promise<void> {
    const closed = () => this.#closedError();
    const rejectsWithLastError = !this.isSynced && !this.#isAborted;
    const reason = () =>
      this.#failure ?? (rejectsWithLastError ? (this.#cache.lastError ?? closed()) : closed());
    this.#isOpen = false;
    this.#closedAt = this.#cache.clock.now();
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#mover.cancel(closed());
    const handlersDone = this.#subscribers.removeAll();
    this.#subscribers.endStreams();
    this.#syncWaiters.failAll(reason);
    this.#versionWaiters.failAll(closed);
    await Promise.all([this.#cache.leave(this.#user), this.#mover.ended(), handlersDone]);
    // Close the view only after the handlers in progress have ended: they may still look objects up.
    if (this.#cache.isUsed) {
      this.#view.close();
    }
    if (!this.#isStopReported) {
      // The informer left before the watch stopped, or the watch continues for others.
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
    return this.#failure ?? closedError(this.#isAborted ? this.#signal?.reason : undefined);
  }
}
