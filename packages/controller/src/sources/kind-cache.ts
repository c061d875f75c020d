import type { KubeObject, Live } from "@typekube/api";
import type { ClientCore } from "@typekube/client";
import { isNotFound, type KubeError } from "@typekube/core";
import { linkAbort, type Projection, projectionOf, type Random } from "@typekube/core/internal";
import {
  type ChangeHandler,
  createInformer,
  type Informer,
  type InformerIndex,
  type InformerOptions,
  objectKey,
  type Shard,
} from "@typekube/informer";
import type { DeclaredKind } from "../definition/kind-choice.js";
import { nameOfKey } from "../definition/object-key.js";
import type { RunListOptions } from "../run/run.js";
import { allFields, type KeptFields } from "./kept-fields.js";
import type { ServedKind } from "./served-kind.js";

/**
 * `true` to freeze cached objects, which finds code that changes them. Production shares them unfrozen, as freezing
 * costs time.
 */
const isDevelopment = ["development", "test"].includes(process.env["NODE_ENV"] ?? "");

/**
 * Milliseconds for which reads show an own write that the cache does not have yet: as long as it takes. However long a
 * watch is down while writes succeed, a run must not create a second child in that time. A cache that goes on drops a
 * write by its resourceVersion, also of an object that it does not follow.
 */
const ownWriteTtlMs = Number.POSITIVE_INFINITY;

/** Called for what a cache reports. */
export interface CacheEvents {
  onError(error: KubeError, kind: DeclaredKind): void;
  /** Random numbers of the watches. Default: those of the informers, which can then share a watch with others. */
  readonly random?: Random | undefined;
}

/** Which part of a kind a cache has. */
export interface CachedPart {
  /** Shards of the objects. Default: all. */
  readonly shard?: Shard | undefined;
  /** Fields of each object. Default: all. */
  readonly kept?: KeptFields | undefined;
}

/** An index that each informer has. */
interface SharedIndex {
  readonly name: string;
  readonly valuesOf: (object: Live<KubeObject>) => readonly string[];
  readonly parts: InformerIndex<KubeObject>[];
}

/**
 * The cached objects of one kind for one controller: an informer, or one for each of several namespaces. They start when
 * the kind's descriptor is known, which for a declared descriptor is at once; until then the cache is empty.
 */
export class KindCache {
  readonly kind: DeclaredKind;
  readonly served: ServedKind;
  #informers: ReadonlyMap<string, Informer> = new Map();
  #isStarted = false;
  /** uids of objects whose deletion was confirmed to us, and which the cache still shows. */
  readonly #gone = new Set<string>();
  readonly #handlers: ChangeHandler[] = [];
  readonly #indexes: SharedIndex[] = [];
  /** The fields that are kept; `undefined` for whole objects. */
  readonly kept: KeptFields | undefined;
  /** Projection of these fields; `undefined` for whole objects. */
  readonly projection: Projection | undefined;
  #shard: Shard | undefined;

  /** Starts the informers. */
  constructor(
    client: ClientCore,
    kind: DeclaredKind,
    served: ServedKind,
    events: CacheEvents,
    { shard, kept }: CachedPart = {},
  ) {
    this.kind = kind;
    this.served = served;
    this.kept = kept;
    this.projection = kept && projectionOf(allFields(kept));
    this.#shard = shard;
    served.whenResolved(() => this.#start(client, events));
  }

  #start(client: ClientCore, events: CacheEvents): void {
    const { kind, served } = this;
    const { namespaces, labelSelector, fieldSelector, view, indexes } = kind;
    const options = {
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(view === undefined ? {} : { view }),
      ...(indexes === undefined ? {} : { indexes }),
      ...(this.#shard === undefined ? {} : { shard: this.#shard }),
      ...(this.kept === undefined ? {} : { fields: allFields(this.kept) }),
      freeze: isDevelopment,
      ...(events.random === undefined ? {} : { random: events.random }),
      mutationTtlMs: ownWriteTtlMs,
      onError: (error: KubeError) => {
        served.failed(error);
        // An inactive kind is reported once.
        if (!(served.isInactive && isNotFound(error))) {
          events.onError(error, kind);
        }
      },
      onState: ({ name }: { readonly name: string }) => {
        if (name === "watching") {
          void served.served();
        }
      },
    } as InformerOptions<KubeObject>;
    // By the kind as declared: discovery then finds it again when it returns with another plural.
    const create = (namespace?: string) =>
      createInformer(
        client,
        kind.kind,
        namespace === undefined ? options : { ...options, namespace },
      ) as Informer;
    this.#informers = new Map(
      namespaces === undefined
        ? [["", create()]]
        : namespaces.map((namespace) => [namespace, create(namespace)]),
    );
    this.#isStarted = true;
    for (const index of this.#indexes) {
      this.#addParts(index);
    }
    for (const handler of this.#handlers) {
      this.#addHandler(handler);
    }
  }

  /** Names the kind for messages: `apps/v1/Deployment`. */
  get id(): string {
    return this.served.id;
  }

  /** `true` when there is nothing to wait for: everything is cached, or the kind is inactive. */
  get isSynced(): boolean {
    return (
      this.served.isInactive || (this.#isStarted && this.#all().every(({ isSynced }) => isSynced))
    );
  }

  get(key: string): Live<KubeObject> | undefined {
    const object = this.#informerOf(nameOfKey(key).namespace)?.get(key);
    return object !== undefined && this.#gone.has(object.metadata.uid) ? undefined : object;
  }

  /** Returns cached objects; all of them with the namespace `*`. */
  list({ namespace, labelSelector, index }: RunListOptions): Live<KubeObject>[] {
    const informers =
      namespace === undefined || namespace === "*"
        ? this.#all()
        : [this.#informerOf(namespace)].filter((one) => one !== undefined);
    const within = namespace === "*" ? undefined : namespace;
    const found = informers.flatMap((informer) =>
      index === undefined
        ? informer.list({
            ...(within === undefined ? {} : { namespace: within }),
            ...(labelSelector === undefined ? {} : { labelSelector }),
          })
        : byIndexes(informer, index).filter(
            ({ metadata }) => within === undefined || metadata.namespace === within,
          ),
    );
    return this.#standing(found);
  }

  /** Leaves out objects that were deleted and are still cached. */
  #standing(found: Live<KubeObject>[]): Live<KubeObject>[] {
    return this.#gone.size === 0
      ? found
      : found.filter(({ metadata }) => !this.#gone.has(metadata.uid));
  }

  /** Adds an index over the objects and returns its lookup function. */
  addIndex(name: string, valuesOf: (object: Live<KubeObject>) => readonly string[]): Lookup {
    const index: SharedIndex = { name, valuesOf, parts: [] };
    this.#indexes.push(index);
    this.#addParts(index);
    return {
      get: (value) => this.#standing(index.parts.flatMap((part) => part.get(value))),
      values: () => [...new Set(index.parts.flatMap((part) => part.values()))],
    };
  }

  #addParts({ name, valuesOf, parts }: SharedIndex): void {
    parts.push(...this.#all().map((informer) => informer.addIndex(name, valuesOf)));
  }

  /** Records a write, so that reads show it before the cache does. */
  mutated(object: Live<KubeObject>): void {
    const informer = this.#informerOf(object.metadata.namespace);
    const key = objectKey(object);
    const isNew = informer?.get(key) === undefined;
    informer?.mutated(object);
    if (informer !== undefined && isNew && informer.get(key) !== undefined) {
      void this.#confirm(informer, object);
    }
  }

  /**
   * Waits until the cache has caught up with the creation of an object. If the object is missing then, somebody deleted
   * it before the cache had it, and a snapshot shows neither: handlers are called for the deletion.
   */
  async #confirm(informer: Informer, object: Live<KubeObject>): Promise<void> {
    try {
      await informer.caughtUpTo(object.metadata.resourceVersion);
    } catch {
      // The cache was closed.
      return;
    }
    if (informer.get(objectKey(object)) === undefined) {
      for (const handler of this.#handlers) {
        handler.delete?.(object, { finalStateUnknown: true, moved: false });
      }
    }
  }

  /** Records that an object does not exist any more: reads hide it until the cache has dropped it too. */
  deleted({ metadata }: Live<KubeObject>): void {
    const cached = this.#informerOf(metadata.namespace)?.get(objectKey({ metadata }));
    if (cached?.metadata.uid === metadata.uid) {
      this.#gone.add(metadata.uid);
    }
  }

  /** Adds a handler for changes. */
  onChange(handler: ChangeHandler): void {
    this.#handlers.push(handler);
    this.#addHandler(handler);
  }

  #addHandler(handler: ChangeHandler): void {
    for (const informer of this.#all()) {
      informer.onChange({
        ...handler,
        delete: (object, info) => {
          this.#gone.delete(object.metadata.uid);
          handler.delete?.(object, info);
        },
      });
    }
  }

  /** Caches other shards from now on. Resolves when their objects are cached; a later call replaces one in progress. */
  async follow(shard: Shard): Promise<void> {
    this.#shard = shard;
    await Promise.all(this.#all().map((informer) => informer.reshard(shard)));
  }

  /**
   * Resolves when every object that existed at the start is cached, or when the kind is inactive.
   *
   * @param timeoutMs - time for that; the look-up of the kind has the same time before.
   */
  async synced(signal: AbortSignal, timeoutMs: number): Promise<void> {
    if (this.isSynced) {
      return;
    }
    if (!this.served.isOptional) {
      return this.#filled(signal, timeoutMs);
    }
    using over = linkAbort(signal);
    try {
      await Promise.race([this.served.inactive(), this.#filled(over.signal, timeoutMs)]);
    } finally {
      over.abort("no longer needed");
    }
  }

  async #filled(signal: AbortSignal, timeoutMs: number): Promise<void> {
    await this.served.resolved(signal, timeoutMs);
    await Promise.all(this.#all().map((informer) => informer.synced({ signal, timeoutMs })));
  }

  /** Resolves when the cache shows a write of this resourceVersion. */
  async caughtUpTo(
    object: Live<KubeObject>,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<void> {
    const informer = this.#informerOf(object.metadata.namespace);
    await informer?.caughtUpTo(object.metadata.resourceVersion, options);
  }

  /** The informers, for health checks. */
  get informers(): readonly Informer[] {
    return this.#all();
  }

  async close(): Promise<void> {
    await Promise.all(this.#all().map((informer) => informer.close()));
  }

  #all(): Informer[] {
    return [...this.#informers.values()];
  }

  #informerOf(namespace: string | undefined): Informer | undefined {
    return this.#informers.get("") ?? this.#informers.get(namespace ?? "");
  }
}

/** Finds objects by a value. */
export interface Lookup {
  get(value: string): Live<KubeObject>[];
  values(): string[];
}

function byIndexes(
  informer: Informer,
  index: NonNullable<RunListOptions["index"]>,
): Live<KubeObject>[] {
  const [first, ...others] = Object.entries(index);
  const find = ([name, value]: readonly [string, string]) => informer.by[name]?.(value) ?? [];
  return others.reduce(
    (found, entry) => {
      const keys = new Set(find(entry).map(objectKey));
      return found.filter((object) => keys.has(objectKey(object)));
    },
    first === undefined ? informer.list() : find(first),
  );
}
