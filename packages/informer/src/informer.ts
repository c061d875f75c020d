import type { KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import type { Client, KindOf, KindReference } from "@typekube/client";
import {
  type Clock,
  compareResourceVersions,
  formatLabelSelector,
  isComparableResourceVersion,
  KubeError,
  type LabelSelectorInput,
  matchesLabels,
  parseLabelSelector,
  systemClock,
} from "@typekube/core";
import type { Change } from "./handlers/change.js";
import type { ChangeHandler, HandlerHandle } from "./handlers/change-handler.js";
import { ChangeStream } from "./handlers/change-stream.js";
import { HandlerPump } from "./handlers/handler-pump.js";
import type { InformerHealth } from "./informer-health.js";
import type { IndexFunction } from "./store/index-table.js";
import { objectKey } from "./store/object-key.js";
import { Store } from "./store/store.js";
import { Waiters } from "./waiters.js";
import type { FollowEvent } from "./watcher/follow-event.js";
import type { WatchSource } from "./watcher/watch-source.js";
import { Watcher } from "./watcher/watcher.js";
import { type WatcherOptions, watcherSettings } from "./watcher/watcher-options.js";
import type { WatcherState } from "./watcher/watcher-state.js";

/** Index functions by name. */
export type InformerIndexes<T extends KubeObject> = Readonly<
  Record<string, IndexFunction<Live<T>>>
>;

/** What an informer follows and how. */
export interface InformerOptions<
  T extends KubeObject,
  I extends InformerIndexes<T> = InformerIndexes<T>,
> extends WatcherOptions {
  /** Absent: all namespaces, or a cluster-wide resource. */
  readonly namespace?: string | undefined;
  /** Ways to find objects besides their key: `informer.by.node("n1")`. */
  readonly indexes?: I | undefined;
  /** Milliseconds after which `synced` rejects with what is in the way. Default 30,000. */
  readonly failAfterMs?: number | undefined;
  /** Ends the informer, as `close()` does. */
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds that a first sync may fail before those who wait for it learn why. */
const defaultFailAfterMs = 30_000;

/** Which objects of a cache. */
export interface CacheListOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: LabelSelectorInput | undefined;
}

/** What waits for a moment of an informer. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. Default: no limit. */
  readonly timeoutMs?: number | undefined;
}

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
  readonly #abort = new AbortController();
  readonly #onError: (error: KubeError) => void;
  readonly #failAfterMs: number;
  readonly #pumps = new Set<HandlerPump<T>>();
  readonly #streams = new Set<ChangeStream<T>>();
  /** What is done right after the first picture was queued for every handler. */
  readonly #onFirstSync: (() => void)[] = [];
  readonly #syncWaiters: Waiters;
  readonly #versionWaiters: Waiters;
  readonly #startedAt: number;
  readonly #done: Promise<void>;
  /** The picture that is being received; takes the store's place when it is whole. */
  #picture = new Map<string, Live<T>>();
  #isReceivingPicture = true;
  #isSynced = false;
  #resourceVersion = "";
  #state: WatcherState = { name: "stopped" };
  #since: number;
  #lastContact: number | undefined;
  #stalledSince: number | undefined;
  #lastError: KubeError | undefined;
  #gaps = 0;

  constructor(
    source: WatchSource,
    options: InformerOptions<T, I> = {},
    clock: Clock = systemClock,
  ) {
    const { indexes, failAfterMs, signal, onError, onState, ...watcherOptions } = options;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#since = this.#startedAt;
    this.#failAfterMs = failAfterMs ?? defaultFailAfterMs;
    this.#onError = onError ?? (() => {});
    this.#store = new Store<T>(indexes);
    this.#syncWaiters = new Waiters(clock);
    this.#versionWaiters = new Waiters(clock);
    this.by = this.#lookups(indexes ?? ({} as I));
    this.#stopWith(signal);
    const settings = watcherSettings({
      ...watcherOptions,
      onError: (error) => this.#failed(error),
      onState: (state) => {
        this.#entered(state);
        onState?.(state);
      },
    });
    const watcher = new Watcher<T>(source, settings, clock, this.#abort.signal);
    this.#done = this.#run(watcher);
  }

  /** The version up to which the cache shows the server; "" before the first sync. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Whether the cache has been whole at least once. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** How it is. */
  get health(): InformerHealth {
    return {
      state: this.#state.name,
      since: this.#since,
      synced: this.#isSynced,
      lastContact: this.#lastContact,
      stalledSince: this.#stalledSince,
      lastError: this.#lastError,
      gaps: this.#gaps,
      objects: this.#store.size,
    };
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
    if (this.#isSynced) {
      return;
    }
    this.#assertOpen();
    await this.#syncWaiters.wait({
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? this.#startedAt + this.#failAfterMs - this.#clock.now(),
      until: () => this.#isSynced,
      // Objects that are still arriving are no reason to give up.
      keepWaiting: () =>
        options.timeoutMs === undefined && this.#lastError === undefined && this.#picture.size > 0,
      failure: () =>
        this.#lastError ??
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
      isComparableResourceVersion(this.#resourceVersion) &&
      compareResourceVersions(this.#resourceVersion, resourceVersion) >= 0;
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
          `the cache is at resourceVersion ${this.#resourceVersion || "(none)"} and has not reached ${resourceVersion}`,
          { cause: this.#lastError },
        ),
    });
  }

  /**
   * Calls a handler for what is there and for every change after it, in order. Each handler has its own pace.
   */
  onChange(handler: ChangeHandler<T>): HandlerHandle {
    this.#assertOpen();
    const waiters = new Waiters(this.#clock);
    let delivered = false;
    let removed = false;
    const pump = new HandlerPump<T>(
      handler,
      (error) => this.#onError(KubeError.from(error)),
      () => {
        removed = true;
        waiters.failAll(closedError);
      },
    );
    this.#pumps.add(pump);
    pump.push(this.#present());
    const markDelivered = () =>
      pump.whenDelivered(() => {
        delivered = true;
        waiters.check();
      });
    if (this.#isSynced) {
      markDelivered();
    } else {
      this.#onFirstSync.push(markDelivered);
    }
    return {
      synced: async (options = {}) => {
        if (removed && !delivered) {
          throw closedError();
        }
        await waiters.wait({
          signal: options.signal,
          until: () => delivered,
          failure: closedError,
        });
      },
      remove: async () => {
        this.#pumps.delete(pump);
        await pump.remove();
      },
    };
  }

  /**
   * The changes from now on, what is there first, for `for await`. A slow reader gets the last state of each object; each
   * call has its own cursor. Ends when the informer is closed.
   */
  changes(): AsyncIterableIterator<Change<T>> {
    const stream: ChangeStream<T> = new ChangeStream<T>(() => this.#streams.delete(stream));
    stream.push(this.#present());
    if (this.#abort.signal.aborted) {
      stream.end();
    } else {
      this.#streams.add(stream);
    }
    return stream;
  }

  /** Ends everything: no request is open and no handler runs after it resolves. Can be called again. */
  async close(): Promise<void> {
    if (!this.#abort.signal.aborted) {
      this.#abort.abort(closedError());
    }
    await this.#done;
    await Promise.all([...this.#pumps].map((pump) => pump.remove()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(watcher: Watcher<T>): Promise<void> {
    try {
      for await (const events of watcher.run()) {
        this.#lastContact = this.#clock.now();
        this.#take(events);
      }
    } catch (error) {
      // Only an index function or a bug ends up here: the cache would be wrong from now on, so nothing goes on.
      this.#failed(KubeError.from(error));
      this.#abort.abort(error);
    }
    for (const stream of this.#streams) {
      stream.end();
    }
    this.#syncWaiters.failAll(() => this.#lastError ?? closedError());
    this.#versionWaiters.failAll(closedError);
  }

  #take(events: readonly FollowEvent<T>[]): void {
    const changes: Change<T>[] = [];
    for (const event of events) {
      switch (event.type) {
        case "initial":
          this.#picture.set(objectKey(event.object), event.object);
          break;
        case "synced":
          this.#swap(event.resourceVersion, changes);
          break;
        case "applied":
          this.#collect(this.#store.apply(event.object), changes);
          this.#resourceVersion = event.object.metadata.resourceVersion;
          break;
        case "deleted":
          this.#takeDeleted(event.object, changes);
          break;
        case "bookmark":
          this.#resourceVersion = event.resourceVersion;
          break;
        case "gap":
          this.#gaps++;
          this.#picture = new Map();
          this.#isReceivingPicture = true;
          break;
        default:
          event satisfies never;
      }
    }
    this.#publish(changes);
    this.#versionWaiters.check();
  }

  #collect(change: Change<T> | undefined, changes: Change<T>[]): void {
    if (change !== undefined) {
      changes.push(change);
    }
  }

  #takeDeleted(object: Live<T>, changes: Change<T>[]): void {
    if (this.#isReceivingPicture) {
      this.#picture.delete(objectKey(object));
      return;
    }
    this.#collect(this.#store.delete(object), changes);
    this.#resourceVersion = object.metadata.resourceVersion;
  }

  #swap(resourceVersion: string, changes: Change<T>[]): void {
    for (const change of this.#store.replace(this.#picture)) {
      changes.push(
        change.type === "add" && !this.#isSynced ? { ...change, initial: true } : change,
      );
    }
    this.#picture = new Map();
    this.#isReceivingPicture = false;
    this.#resourceVersion = resourceVersion;
    if (!this.#isSynced) {
      this.#isSynced = true;
      this.#publish(changes.splice(0));
      for (const mark of this.#onFirstSync.splice(0)) {
        mark();
      }
      this.#syncWaiters.check();
    }
  }

  #publish(changes: readonly Change<T>[]): void {
    if (changes.length === 0) {
      return;
    }
    for (const pump of this.#pumps) {
      pump.push(changes);
    }
    for (const stream of this.#streams) {
      stream.push(changes);
    }
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
    this.#lastError = error;
    this.#onError(error);
    this.#syncWaiters.check();
  }

  #entered(state: WatcherState): void {
    this.#state = state;
    this.#since = this.#clock.now();
    if (state.name === "waiting") {
      this.#stalledSince ??= this.#since;
    } else if (state.name === "watching" && this.#lastContact !== undefined) {
      this.#stalledSince = undefined;
    }
  }

  #lookups(indexes: I): { readonly [N in keyof I]: (value: string) => Live<T>[] } {
    const lookups = Object.keys(indexes).map((name) => [
      name,
      (value: string) => this.#store.byIndex(name, value),
    ]);
    return Object.fromEntries(lookups) as { [N in keyof I]: (value: string) => Live<T>[] };
  }

  #stopWith(signal: AbortSignal | undefined): void {
    if (signal === undefined) {
      return;
    }
    const onAbort = () => this.#abort.abort(signal.reason);
    if (signal.aborted) {
      onAbort();
    } else {
      signal.addEventListener("abort", onAbort, { once: true });
      this.#abort.signal.addEventListener(
        "abort",
        () => signal.removeEventListener("abort", onAbort),
        { once: true },
      );
    }
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

/**
 * Starts an informer.
 *
 * @example
 * await using pods = createInformer(client, Pod, { indexes: { node: (pod) => [pod.spec?.nodeName ?? ""] } });
 * await pods.synced();
 * pods.by.node("node-1");
 */
export function createInformer<T extends KubeObject, const I extends InformerIndexes<T>>(
  client: Client,
  type: ResourceDescriptor<T>,
  options?: InformerOptions<T, I>,
): Informer<T, I>;
export function createInformer<
  const R extends KindReference,
  const I extends InformerIndexes<KindOf<R>>,
>(
  client: Client,
  type: R & { readonly plural?: never },
  options?: InformerOptions<KindOf<R>, I>,
): Informer<KindOf<R>, I>;
export function createInformer(
  client: Client,
  type: KindReference | ResourceDescriptor,
  options: InformerOptions<KubeObject> = {},
): Informer {
  return new Informer(client.reader(type, options.namespace), options, client.context.clock);
}
