import type { KubeObject, Live } from "@typekube/api";
import {
  type Clock,
  compareResourceVersions,
  formatLabelSelector,
  isComparableResourceVersion,
  KubeError,
  matchesLabels,
  parseLabelSelector,
  systemClock,
} from "@typekube/core";
import { Audience } from "./handlers/audience.js";
import type { Change } from "./handlers/change.js";
import type { ChangeHandler, HandlerHandle, HandlerOptions } from "./handlers/change-handler.js";
import type { InformerHealth } from "./informer-health.js";
import { InformerMonitor } from "./informer-monitor.js";
import {
  type CacheListOptions,
  defaultFailAfterMs,
  type InformerIndexes,
  type InformerOptions,
  type WaitOptions,
} from "./informer-options.js";
import { objectKey } from "./store/object-key.js";
import { Reflector } from "./store/reflector.js";
import { Store } from "./store/store.js";
import { Waiters } from "./waiters.js";
import { type LinkedAbort, linkAbort } from "./watcher/linked-abort.js";
import type { WatchSource } from "./watcher/watch-source.js";
import { Watcher } from "./watcher/watcher.js";
import { watcherSettings } from "./watcher/watcher-options.js";

/**
 * A cache of a collection that keeps itself up to date. It starts at once, survives whatever happens to the
 * connection, and ends with `close()`.
 *
 * Cached objects are shared: change a copy, never the object itself.
 */
export class Informer<
  T extends KubeObject = KubeObject,
  I extends InformerIndexes<T> = InformerIndexes<T>,
> implements AsyncDisposable
{
  /** One function per index: the objects under a value. */
  readonly by: { readonly [N in keyof I]: (value: string) => Live<T>[] };
  readonly #clock: Clock;
  readonly #store: Store<T>;
  readonly #reflector: Reflector<T>;
  readonly #audience: Audience<T>;
  readonly #monitor: InformerMonitor;
  readonly #abort: LinkedAbort;
  readonly #onError: (error: KubeError) => void;
  readonly #failAt: number;
  readonly #syncWaiters: Waiters;
  readonly #versionWaiters: Waiters;
  readonly #done: Promise<void>;

  constructor(
    source: WatchSource,
    options: InformerOptions<T, I> = {},
    clock: Clock = systemClock,
  ) {
    const { indexes, failAfterMs, signal, onError, onState, ...watcherOptions } = options;
    this.#clock = clock;
    this.#failAt = clock.now() + (failAfterMs ?? defaultFailAfterMs);
    this.#onError = onError ?? (() => {});
    this.#store = new Store<T>(indexes);
    this.#reflector = new Reflector(this.#store);
    this.#audience = new Audience(clock, this.#onError);
    this.#monitor = new InformerMonitor(clock);
    this.#syncWaiters = new Waiters(clock);
    this.#versionWaiters = new Waiters(clock);
    this.#abort = linkAbort(signal);
    this.by = this.#lookups(indexes ?? ({} as I));
    const settings = watcherSettings({
      ...watcherOptions,
      onError: (error) => this.#failed(error),
      onState: (state) => {
        this.#monitor.entered(state);
        onState?.(state);
      },
    });
    this.#done = this.#run(new Watcher<T>(source, settings, clock, this.#abort.signal));
  }

  /** The version up to which the cache shows the server; "" before the first sync. */
  get resourceVersion(): string {
    return this.#reflector.resourceVersion;
  }

  /** Whether the cache has been whole at least once. */
  get isSynced(): boolean {
    return this.#reflector.isSynced;
  }

  /** How it is. */
  get health(): InformerHealth {
    return this.#monitor.health(this.isSynced, this.#store.size);
  }

  /** An object by its key: `namespace/name`, or `name` for a cluster-wide one. */
  get(key: string): Live<T> | undefined {
    return this.#store.get(key);
  }

  /** The cached objects, all or some. */
  list(options: CacheListOptions = {}): Live<T>[] {
    const { namespace, labelSelector } = options;
    const all = [...this.#store.values()];
    if (namespace === undefined && labelSelector === undefined) {
      return all;
    }
    const requirements = labelSelector
      ? parseLabelSelector(formatLabelSelector(labelSelector))
      : [];
    return all.filter(
      ({ metadata }) =>
        (namespace === undefined || metadata.namespace === namespace) &&
        matchesLabels(requirements, metadata.labels),
    );
  }

  /** The values that an index knows. */
  indexValues(index: keyof I & string): string[] {
    return this.#store.indexValues(index);
  }

  /**
   * Resolves when the cache is whole for the first time.
   *
   * @throws {KubeError} what is in the way (`Forbidden`, `NotFound`, `HostNotFound` ...) when there is still no picture
   * `failAfterMs` after the start. The informer itself goes on trying.
   */
  async synced(options: WaitOptions = {}): Promise<void> {
    if (this.isSynced) {
      return;
    }
    this.#assertOpen();
    await this.#syncWaiters.wait({
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? this.#failAt - this.#clock.now(),
      until: () => this.isSynced,
      // Objects that are still arriving are no reason to give up.
      keepWaiting: () =>
        options.timeoutMs === undefined &&
        this.#monitor.lastError === undefined &&
        this.#reflector.received > 0,
      failure: () =>
        this.#monitor.lastError ??
        new KubeError("DeadlineExceeded", "the informer has heard nothing from the server yet"),
    });
  }

  /**
   * Resolves when the cache shows at least this version: what a write returned is then visible here.
   *
   * @throws {KubeError} `DeadlineExceeded` after `timeoutMs`.
   */
  async caughtUpTo(resourceVersion: string, options: WaitOptions = {}): Promise<void> {
    const reached = () =>
      isComparableResourceVersion(this.resourceVersion) &&
      compareResourceVersions(this.resourceVersion, resourceVersion) >= 0;
    if (reached()) {
      return;
    }
    this.#assertOpen();
    await this.#versionWaiters.wait({
      ...options,
      until: reached,
      failure: () =>
        new KubeError(
          "DeadlineExceeded",
          `the cache is at resourceVersion ${this.resourceVersion || "(none)"} and has not reached ${resourceVersion}`,
          { cause: this.#monitor.lastError },
        ),
    });
  }

  /** Calls a handler for what is there and for every change after it, in order. Each handler has its own pace. */
  onChange(handler: ChangeHandler<T>, options: HandlerOptions = {}): HandlerHandle {
    this.#assertOpen();
    return this.#audience.add(handler, () => this.#present(), options);
  }

  /**
   * The changes from now on, what is there first, for `for await`. A slow reader gets the last state of each object; each
   * call has its own cursor. Ends when the informer is closed.
   */
  changes(): AsyncIterableIterator<Change<T>> {
    this.#assertOpen();
    return this.#audience.stream(this.#present());
  }

  /**
   * Ends everything: no request is open and no handler runs after it resolves. Can be called again. It waits for the handlers
   * in progress, so a handler may call it but must not await it.
   */
  async close(): Promise<void> {
    this.#abort.abort(closedError());
    const handlersDone = this.#audience.removeAll();
    await this.#done;
    await handlersDone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(watcher: Watcher<T>): Promise<void> {
    try {
      for await (const events of watcher.run()) {
        this.#monitor.heard(events.filter(({ type }) => type === "gap").length);
        this.#take(events);
      }
    } catch (error) {
      // Only an index function or a bug ends up here: the cache would be wrong from now on, so nothing goes on.
      this.#failed(KubeError.from(error));
      this.#abort.abort(error);
    }
    this.#abort[Symbol.dispose]();
    this.#audience.endStreams();
    this.#syncWaiters.failAll(() => this.#monitor.lastError ?? closedError());
    this.#versionWaiters.failAll(closedError);
  }

  #take(events: Parameters<Reflector<T>["take"]>[0]): void {
    const wasSynced = this.isSynced;
    this.#audience.publish(this.#reflector.take(events));
    if (!wasSynced && this.isSynced) {
      this.#audience.firstPictureDone();
      this.#syncWaiters.check();
    }
    this.#versionWaiters.check();
  }

  #present(): Change<T>[] {
    return [...this.#store.values()].map((object) => ({
      type: "add",
      key: objectKey(object),
      object,
      initial: true,
    }));
  }

  #failed(error: KubeError): void {
    this.#monitor.lastError = error;
    this.#onError(error);
  }

  #lookups(indexes: I): { readonly [N in keyof I]: (value: string) => Live<T>[] } {
    const lookups = Object.keys(indexes).map((name) => [
      name,
      (value: string) => this.#store.byIndex(name, value),
    ]);
    return Object.fromEntries(lookups) as { [N in keyof I]: (value: string) => Live<T>[] };
  }

  #assertOpen(): void {
    if (this.#abort.signal.aborted) {
      throw closedError();
    }
  }
}

function closedError(): KubeError {
  return new KubeError("Closed", "the informer is closed");
}
