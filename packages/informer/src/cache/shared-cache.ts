import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import { callSafely } from "../call-safely.js";
import type { Change } from "../handlers/change.js";
import type { CacheHealth } from "../informer-health.js";
import { InformerMonitor } from "../informer-monitor.js";
import type { CacheOptions } from "../informer-options.js";
import { type CacheTransform, createCacheTransform } from "../store/cache-transform.js";
import { Reflector } from "../store/reflector.js";
import { Store } from "../store/store.js";
import { countingSource } from "../watcher/counting-source.js";
import type { FollowEvent } from "../watcher/follow-event.js";
import type { WatchSource } from "../watcher/watch-source.js";
import { Watcher } from "../watcher/watcher.js";
import {
  type RestartReason,
  type SnapshotProgress,
  watcherSettings,
} from "../watcher/watcher-options.js";
import type { WatcherState } from "../watcher/watcher-state.js";

/** Somebody who uses a cache and hears what happens to it. */
export interface CacheUser<T extends KubeObject> {
  onChanges(changes: readonly Change<T>[]): void;
  /** The cache is whole for the first time; the changes that made it so were told. */
  onFirstSnapshot(): void;
  /** The cache's version has moved. */
  onMoved(): void;
  onError(error: KubeError): void;
  onState(state: WatcherState): void;
  onProgress(progress: SnapshotProgress): void;
  onRestart(reason: RestartReason): void;
  /** Nothing comes any more. */
  onEnd(): void;
}

/** One watch and the store that it keeps, for any number of users. It starts with the first and ends with the last. */
export class SharedCache<T extends KubeObject> {
  readonly clock: Clock;
  readonly store: Store<T>;
  /** What becomes of objects on their way in. */
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
  /** What is to be told of a group of events that is taken in: when the store is done and its changes are published. */
  #untold: (() => void)[] | undefined;

  /**
   * @param onEnd - nobody should join any more.
   * @param notOlderThan - a version that was seen elsewhere: the first picture is not from before it.
   */
  constructor(
    source: WatchSource,
    options: CacheOptions<T>,
    clock: Clock,
    onEnd: () => void = () => {},
    notOlderThan?: string,
  ) {
    this.clock = clock;
    this.#source = source;
    this.#options = options;
    this.#onEnd = onEnd;
    this.#notOlderThan = notOlderThan;
    this.store = new Store<T>();
    // A transform is what all users have in common.
    this.cacheTransform = createCacheTransform(options, (error) =>
      this.whenPublished(() => this.#failed(error)),
    );
    this.#reflector = new Reflector(this.store, this.cacheTransform);
    this.#monitor = new InformerMonitor(clock);
  }

  /** What is followed, for messages. */
  get resource(): string {
    return this.#source.subject?.resource ?? "objects";
  }

  /** The version up to which the cache shows the server; "" before the first sync. */
  get resourceVersion(): string {
    return this.#reflector.resourceVersion;
  }

  /** Whether the cache has been whole at least once. */
  get isSynced(): boolean {
    return this.#reflector.isSynced;
  }

  /** Whether parts of a first picture are here. */
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
    });
  }

  /** Whether somebody uses it. */
  get isUsed(): boolean {
    return this.#users.size > 0;
  }

  /** Everything that is there, as adds. */
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

  /** Takes a user away. With the last one the watch ends: no request is open when it resolves. */
  async leave(user: CacheUser<T>): Promise<void> {
    if (this.#done === undefined) {
      // Made for somebody who never came: nobody else is to find it.
      this.#onEnd();
    }
    if (this.#users.delete(user) && this.#users.size === 0) {
      this.#onEnd();
      this.#abort.abort(new KubeError("Closed", "the informer is closed"));
      await this.#done;
    }
  }

  /**
   * Calls back at once; while events are taken in, after their changes were published. Who hears of a failure may add a handler, which must
   * not see the half of a group that is in the store already.
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
      // A transform may change what it gets, as those of client-go do.
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
      // The client was closed; or there is a bug, and the cache would be wrong from now on. Nothing goes on.
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

  /** A user's own callback that throws, now or later, must not end what all of them share. */
  #tell(what: (user: CacheUser<T>) => unknown): void {
    for (const user of [...this.#users]) {
      callSafely(() => what(user));
    }
  }
}
