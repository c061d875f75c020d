import type { KubeObject, Live } from "@typekube/api";
import { type AnyFieldsOption, assertWhole, type View } from "@typekube/client/internal";
import {
  formatLabelSelector,
  KubeError,
  type LabelRequirement,
  matchesLabels,
  parseLabelSelector,
} from "@typekube/core";
import {
  cloneJson,
  markProjected,
  type Projection,
  projectionOf,
  projectValue,
} from "@typekube/core/internal";
import type { SharedCache } from "../cache/shared-cache.js";
import { callSafely } from "../callbacks/call-safely.js";
import { assertCacheListOptions, type CacheListOptions } from "../options/cache-list-options.js";
import type { InformerIndexes, InformerOptions } from "../options/informer-options.js";
import { type Shard, shardFilter } from "../shard/shard.js";
import { assertIndexFunction, type IndexFunction, indexValues } from "../store/index-table.js";
import { MutationOverlay } from "../store/mutation-overlay.js";
import { objectKey } from "../store/object-key.js";

const labels = projectionOf(["metadata.labels"]);

const metadataKind = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" };

/** An index that was added to a running informer. */
export interface InformerIndex<T extends KubeObject> {
  /** Returns the objects with this value. */
  get(value: string): Live<T>[];
  /** Returns every value that at least one object has. */
  values(): string[];
  /** Removes the index; it then finds nothing. Can be called repeatedly. */
  remove(): void;
}

/** One informer's view of a cache: its indexes, and the writes recorded by `mutated` until the cache shows them. */
export class InformerView<T extends KubeObject> {
  /** One lookup function per index. */
  readonly by: Record<string, (value: string) => Live<T>[]> = {};
  #cache: SharedCache<T>;
  readonly #options: InformerOptions<T, InformerIndexes<T>, View>;
  /** Fields that are kept of each object; `undefined` for whole objects. */
  readonly #projection: Projection | undefined;
  readonly #indexes = new Map<string, IndexFunction<Live<T>>>();
  readonly #overlay: MutationOverlay<T>;
  readonly #requirements: readonly LabelRequirement[];
  /** Returns true when an object is in the shard that the cache follows. */
  #isInPart: (object: KubeObject) => boolean;
  /** Index functions belong to this informer alone, and so do their errors. */
  readonly #onIndexError = (error: unknown) => {
    const { onError } = this.#options;
    const failure = KubeError.from(error);
    this.#cache.whenPublished(() => callSafely(() => onError?.(failure)));
  };

  constructor(
    cache: SharedCache<T>,
    options: InformerOptions<T, InformerIndexes<T>, View> & AnyFieldsOption,
  ) {
    this.#cache = cache;
    this.#options = options;
    this.#projection = options.fields && projectionOf(options.fields);
    this.#overlay = new MutationOverlay(() => this.#cache, cache.clock, options.mutationTtlMs);
    const { labelSelector, shard } = options;
    this.#isInPart = shard ? shardFilter(shard) : () => true;
    this.#requirements = labelSelector
      ? parseLabelSelector(formatLabelSelector(labelSelector))
      : [];
    const indexes: InformerIndexes<T> = options.indexes ?? {};
    for (const [name, valuesOf] of Object.entries(indexes)) {
      this.addIndex(name, valuesOf);
    }
  }

  get(key: string): Live<T> | undefined {
    const write = this.#overlay.get(key);
    return write === undefined ? this.#cache.store.get(key) : (write ?? undefined);
  }

  list(options: CacheListOptions): Live<T>[] {
    assertCacheListOptions(options);
    const { namespace, labelSelector } = options;
    if (labelSelector !== undefined && this.#projection?.contains(labels) === false) {
      throw new KubeError(
        "InvalidArgument",
        "this informer does not keep the labels, so it cannot select objects by them",
        { hint: 'add "metadata.labels" to its fields' },
      );
    }
    const found = this.#all(namespace);
    if (!labelSelector) {
      return found;
    }
    const requirements = parseLabelSelector(formatLabelSelector(labelSelector));
    return found.filter(({ metadata }) => matchesLabels(requirements, metadata.labels));
  }

  addIndex(name: string, valuesOf: IndexFunction<Live<T>>): InformerIndex<T> {
    if (this.#indexes.has(name)) {
      throw new KubeError("InvalidArgument", `the index ${name} already exists`);
    }
    assertIndexFunction(`the function of the index ${name}`, valuesOf);
    this.#indexes.set(name, valuesOf);
    this.#cache.store.addIndex(valuesOf, this.#onIndexError);
    let isRemoved = false;
    // Closing the informer removes its indexes; the cache may keep one for another informer with the same function.
    const isKept = () => !isRemoved && this.#indexes.get(name) === valuesOf;
    const get = (value: string) => (isKept() ? this.#find(valuesOf, value) : []);
    this.by[name] = get;
    return {
      get,
      values: () => (isKept() ? this.#values(valuesOf) : []),
      remove: () => {
        if (isKept()) {
          delete this.by[name];
          this.#indexes.delete(name);
          this.#cache.store.removeIndex(valuesOf, this.#onIndexError);
        }
        isRemoved = true;
      },
    };
  }

  indexValues(name: string): string[] {
    const valuesOf = this.#indexes.get(name);
    return valuesOf ? this.#values(valuesOf) : [];
  }

  mutated(object: Live<T>): void {
    assertWritten(object);
    assertWhole(object, "the object for mutated()");
    const { namespace } = this.#options;
    const isElsewhere = namespace !== undefined && object.metadata.namespace !== namespace;
    if (isElsewhere || !this.#isInPart(object)) {
      return;
    }
    const isChosen = matchesLabels(this.#requirements, object.metadata.labels);
    const taken = isChosen ? this.#cache.cacheTransform(this.#asCached(object)) : undefined;
    const key = objectKey(object);
    if (taken === undefined) {
      this.#overlay.hide(key, object);
    } else {
      this.#overlay.add(key, taken);
    }
  }

  /** Drops recorded writes that the cache shows by now. */
  forgetSeen(): void {
    if (this.#overlay.size > 0) {
      this.#overlay.all();
    }
  }

  /** Switches to the cache of another shard. */
  moveTo(cache: SharedCache<T>, shard: Shard | undefined): void {
    for (const valuesOf of this.#indexes.values()) {
      cache.store.addIndex(valuesOf, this.#onIndexError);
    }
    this.#removeIndexes();
    this.#cache = cache;
    this.#isInPart = shard ? shardFilter(shard) : () => true;
    this.#overlay.retain(this.#isInPart);
  }

  /** Removes the indexes: another informer may continue to use the cache. */
  close(): void {
    this.#removeIndexes();
    this.#indexes.clear();
  }

  #removeIndexes(): void {
    for (const valuesOf of this.#indexes.values()) {
      this.#cache.store.removeIndex(valuesOf, this.#onIndexError);
    }
  }

  /** Returns the visible objects of a namespace, or of all. */
  #all(namespace: string | undefined): Live<T>[] {
    const { store } = this.#cache;
    return this.#overlay.size === 0
      ? store.values(namespace)
      : this.#withWrites(
          store.keys(namespace),
          ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
        );
  }

  #find(valuesOf: IndexFunction<Live<T>>, value: string): Live<T>[] {
    const { store } = this.#cache;
    return this.#overlay.size === 0
      ? store.byIndex(valuesOf, value)
      : this.#withWrites(store.keysByIndex(valuesOf, value), (object) =>
          indexValues(valuesOf, object).includes(value),
        );
  }

  /**
   * Returns the index values of the visible objects: a recorded write may add a value, or remove the last object of
   * another.
   */
  #values(valuesOf: IndexFunction<Live<T>>): string[] {
    const cached = this.#cache.store.indexValues(valuesOf);
    if (this.#overlay.size === 0) {
      return cached;
    }
    const values = new Set(cached);
    for (const [key, write] of this.#overlay.all()) {
      const hidden = this.#cache.store.get(key);
      for (const value of hidden ? indexValues(valuesOf, hidden) : []) {
        if (this.#find(valuesOf, value).length === 0) {
          values.delete(value);
        }
      }
      for (const value of write ? indexValues(valuesOf, write) : []) {
        values.add(value);
      }
    }
    return [...values];
  }

  /** Returns the cached objects, with recorded writes in place of those they replace; new objects come last. */
  #withWrites(cached: Iterable<string>, belongs: (object: Live<T>) => boolean): Live<T>[] {
    const writes = this.#overlay.all();
    const shown: Live<T>[] = [];
    for (const key of cached) {
      const object = this.#cache.store.get(key);
      const write = writes.get(key);
      writes.delete(key);
      if (write === undefined) {
        if (object !== undefined) {
          shown.push(object);
        }
      } else if (write !== null && belongs(write)) {
        shown.push(write);
      }
    }
    for (const write of writes.values()) {
      if (write !== null && belongs(write)) {
        shown.push(write);
      }
    }
    return shown;
  }

  /** Copies a written object into the shape of cached objects; the original still belongs to the caller. */
  #asCached(object: Live<T>): Live<T> {
    const { managedFields: keep = false, view } = this.#options;
    const { managedFields, ...rest } = object.metadata;
    const metadata = keep ? object.metadata : rest;
    const whole =
      view === "metadata" ? ({ ...metadataKind, metadata } as Live<T>) : { ...object, metadata };
    if (this.#projection === undefined) {
      return cloneJson(whole);
    }
    const kept = cloneJson(projectValue(whole, this.#projection.root)) as Live<T>;
    markProjected(kept, this.#projection);
    return kept;
  }
}

/**
 * Rejects an object that no write returned. Without a name it would stand for no object; without a resourceVersion the
 * cache would never replace it.
 */
function assertWritten(object: KubeObject | undefined): void {
  const { name, resourceVersion } = object?.metadata ?? {};
  if (!name || !resourceVersion) {
    throw new KubeError(
      "InvalidArgument",
      "mutated() needs the object that a write returned: metadata.name or resourceVersion is missing",
      {
        hint: "pass the object that the write returned; for a deletion, wait for its change",
      },
    );
  }
}
