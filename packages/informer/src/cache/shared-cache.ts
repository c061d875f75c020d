import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import { callSafely } from "../callbacks/call-safely.js";
import type { Change } from "../events/change.js";
import type { FollowEvent } from "../events/follow-event.js";
import type { CacheHealth } from "../health/informer-health.js";
import { InformerMonitor } from "../health/informer-monitor.js";
import type { CacheOptions } from "../options/informer-options.js";
import { countingSource } from "../sources/counting-source.js";
import type { WatchSource } from "../sources/watch-source.js";
import { type CacheTransform, createCacheTransform } from "../store/cache-transform.js";
import { Reflector } from "../store/reflector.js";
import { Store } from "../store/store.js";
import { Watcher } from "../watcher/watcher.js";
import {
  type RestartReason,
  type SnapshotProgress,
  watcherSettings,
} from "../watcher/watcher-options.js";
import type { WatcherState } from "../watcher/watcher-state.js";
import { CachedFields } from "./cached-fields.js";

/** A user of a cache, notified of everything that happens to it. */
export interface CacheUser<T extends KubeObject> {
  /** Returns `false` while nobody would read changes. */
  isListening(): boolean;
  onChanges(changes: readonly Change<T>[]): void;
  /** Called when the first snapshot is complete, after its changes were published. */
  onFirstSnapshot(): void;
  /** Called after each group of events: the cache's resourceVersion may have moved. */
  onMoved(): void;
  onError(error: KubeError): void;
  onState(state: WatcherState): void;
  onProgress(progress: SnapshotProgress): void;
  onRestart(reason: RestartReason): void;
  /** Called when the watch has ended. No changes follow. */
  onEnd(): void;
}

/**
 * One watch and the store that it fills, shared by any number of users. Starts with the first user and ends with the
 * last.
 */
export class SharedCache<T extends KubeObject> {
  readonly clock: Clock;
  readonly store: Store<T>;
  /** The fields of the objects that are kept. */
  readonly fields: CachedFields;
  /** Transforms and freezes incoming objects. */
  readonly cacheTransform: CacheTransform<T>;
  readonly #source: WatchSource;
  readonly #options: CacheOptions<T>;
  readonly #onEnd: () => void;
  readonly #notOlderThan: string | undefined;
  readonly #reflector: Reflector<T>;
  readonly #monitor: InformerMonitor;
  readonly #users = new Set<CacheUser<T>>();
  readonly #abort = new AbortController();
  #done: Promise<void> | undefined;
  /**
   * Callbacks deferred while a group of events is applied. They run when the store is up to date and its changes are
   * published.
   */
  #untold: (() => void)[] | undefined;

  /**
   * @param onEnd - called when no user should join any more.
   * @param notOlderThan - a resourceVersion that was seen elsewhere: the first snapshot must not be older.
   * @param fields - the fields that the source reads. Default: whole objects.
   */
  constructor(
    source: WatchSource,
    options: CacheOptions<T>,
    clock: Clock,
    onEnd: () => void = () => {},
    notOlderThan?: string,
    fields: CachedFields = new CachedFields(undefined),
  ) {
    this.clock = clock;
    this.fields = fields;
    this.#source = source;
    this.#options = options;
    this.#onEnd = onEnd;
    this.#notOlderThan = notOlderThan;
    this.store = new Store<T>();
    // All users share the transform, so all of them receive its errors.
    this.cacheTransform = createCacheTransform(options, (error) =>
      this.whenPublished(() => this.#failed(error)),
    );
    this.#reflector = new Reflector(this.store, this.cacheTransform, () =>
      [...this.#users].some((user) => user.isListening()),
    );
    this.#monitor = new InformerMonitor(clock);
  }

  /** The resource, for messages. */
  get resource(): string {
    return this.#source.subject?.resource ?? "objects";
  }

  /** The resourceVersion up to which the cache reflects the server; "" before the first sync. */
  get resourceVersion(): string {
    return this.#reflector.resourceVersion;
  }

  /** `true` once the first snapshot was complete. */
  get isSynced(): boolean {
    return this.#reflector.isSynced;
  }

  /** `true` while objects of an unfinished snapshot are here. */
  get isReceiving(): boolean {
    return this.#reflector.received > 0;
  }

  get lastError(): KubeError | undefined {
    return this.#monitor.lastError;
  }

  get health(): CacheHealth {
    return this.#monitor.health({
      synced: this.isSynced,
      objects: this.store.size,
      staleEvents: this.#reflector.stale,
      fields: this.fields.current,
      informers: this.#users.size,
    });
  }

  /** `true` while the cache has users. */
  get isUsed(): boolean {
    return this.#users.size > 0;
  }

  /** Returns an add for every cached object. */
  present(): Change<T>[] {
    const changes: Change<T>[] = [];
    for (const [key, object] of this.store.entries()) {
      changes.push({ type: "add", key, object, initial: true });
    }
    return changes;
  }

  /** Adds a user; the first one starts the watch. */
  join(user: CacheUser<T>): void {
    this.#users.add(user);
    this.#done ??= this.#run();
  }

  /** Removes a user. The last one ends the watch; when the promise resolves, no request is open. */
  async leave(user: CacheUser<T>): Promise<void> {
    if (this.#done === undefined) {
      // The informer that this cache was made for never joined. No other informer should find it.
      this.#onEnd();
    }
    if (this.#users.delete(user) && this.#users.size === 0) {
      this.#onEnd();
      this.#abort.abort(new KubeError("Closed", "the informer is closed"));
      await this.#done;
    }
  }

  /**
   * Calls back at once, or, while a group of events is applied, after its changes were published. An error callback may
   * add a handler, which must not see a half-applied group in the store.
   */
  whenPublished(callback: () => void): void {
    if (this.#untold) {
      this.#untold.push(callback);
    } else {
      callback();
    }
  }

  async #run(): Promise<void> {
    const settings = watcherSettings({
      ...this.#options,
      // A transform may modify its argument, as in client-go, so it must not get shared, frozen parts.
      shareEqual: this.#options.shareEqual ?? this.#options.transform === undefined,
      onError: (error) => this.#failed(error),
      onState: (state) => {
        this.#monitor.entered(state);
        this.#tell((user) => user.onState(state));
      },
      onProgress: (progress) => {
        this.#monitor.progressed(progress);
        this.#tell((user) => user.onProgress(progress));
      },
      onRestart: (reason) => {
        this.#monitor.restarted(reason);
        this.#tell((user) => user.onRestart(reason));
      },
    });
    const { signal } = this.#abort;
    const source = countingSource(this.#source, (bytes) => this.#monitor.read(bytes));
    const watcher = new Watcher<T>(source, settings, this.clock, signal, this.#notOlderThan);
    try {
      for await (const events of watcher.run()) {
        this.#take(events);
      }
    } catch (error) {
      // Either the client was closed, or a bug would leave the cache wrong from now on. Both end it.
      this.#failed(KubeError.from(error));
    }
    this.#onEnd();
    this.#tell((user) => user.onEnd());
  }

  #take(events: readonly FollowEvent<T>[]): void {
    this.#monitor.received(events, this.resourceVersion);
    const wasSynced = this.isSynced;
    const undiscovered: (() => void)[] = [];
    this.#untold = undiscovered;
    const changes = this.#reflector.take(events);
    this.#untold = undefined;
    if (changes.length > 0) {
      this.#tell((user) => user.onChanges(changes));
    }
    if (!wasSynced && this.isSynced) {
      this.#tell((user) => user.onFirstSnapshot());
    }
    this.#tell((user) => user.onMoved());
    for (const tell of undiscovered) {
      tell();
    }
  }

  #failed(error: KubeError): void {
    this.#monitor.lastError = error;
    this.#tell((user) => user.onError(error));
  }

  /** Calls every user. A user callback that throws or rejects must not end the shared cache. */
  #tell(what: (user: CacheUser<T>) => unknown): void {
    for (const user of [...this.#users]) {
      callSafely(() => what(user));
    }
  }
}
