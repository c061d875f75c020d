import type { KubeObject, Live } from "@typekube/api";
import type { PartialObjectMetadata } from "@typekube/api/meta/v1";
import type { FieldSelectorOf, ProjectedObject, SentWhole } from "@typekube/client";
import type { View } from "@typekube/client/internal";
import { amount, type OptionTable } from "@typekube/core/internal";
import type { Shard } from "../shard/shard.js";
import { type TransformOptions, transformOptions } from "../store/cache-transform.js";
import type { IndexFunction } from "../store/index-table.js";
import { type WatcherOptions, watcherOptions } from "../watcher/watcher-options.js";
import { view } from "./view.js";

/** Index functions by name. */
export type InformerIndexes<T extends KubeObject> = Readonly<
  Record<string, IndexFunction<Live<T>>>
>;

/** Options of an informer's cache: what it holds and how it is kept. Informers with equal options share one watch. */
export interface CacheOptions<T extends KubeObject>
  extends Omit<
      WatcherOptions,
      "fieldSelector" | "onError" | "onProgress" | "onRestart" | "onState"
    >,
    TransformOptions<T> {
  /**
   * Caches only objects with these fields: `status.phase=Running` or `{ "status.phase": "Running" }`. Default: all objects.
   */
  readonly fieldSelector?: FieldSelectorOf<T> | undefined;
  /**
   * Default: all namespaces, or a cluster-wide resource. An explicit `undefined` is rejected, as it is usually an unset
   * variable.
   */
  readonly namespace?: string;
  /**
   * One shard of the objects, when several workers divide them. Default: all objects. Can't be combined with
   * `shardSelector`.
   */
  readonly shard?: Shard | undefined;
  /** `metadata` caches only the metadata of the objects: a fraction of the bytes and of the memory. Default `full`. */
  readonly view?: View | undefined;
}

/** Options of an informer. It caches whole objects unless `V` says otherwise. */
export interface InformerOptions<
  T extends KubeObject,
  I extends InformerIndexes<T> = InformerIndexes<T>,
  V extends View = "full",
> extends CacheOptions<T>,
    Pick<WatcherOptions, "onError" | "onProgress" | "onRestart" | "onState"> {
  /** `metadata` caches only the metadata of the objects: a fraction of the bytes and of the memory. Default `full`. */
  readonly view?: V | undefined;
  /** Index functions by name, to find objects by other values than their key: `informer.by.node("n1")`. */
  readonly indexes?: I | undefined;
  /** Milliseconds from the start until `synced` rejects with the last failure. Default 30,000. */
  readonly failAfterMs?: number | undefined;
  /**
   * Shares the watch and the cache with other informers of this client that have the same kind and options. Default
   * true. Each informer always has its own handlers, indexes, `synced` and `close`.
   */
  readonly shared?: boolean | undefined;
  /** Milliseconds for which a write passed to `mutated` may replace the cached object. Default 60,000. */
  readonly mutationTtlMs?: number | undefined;
  /** Closes the informer when it aborts, as `close()` does. */
  readonly signal?: AbortSignal | undefined;
}

/** Names and checks of {@link InformerOptions}; index functions are checked by name. */
export const informerOptions: OptionTable<InformerOptions<KubeObject>> = {
  ...watcherOptions,
  ...transformOptions,
  failAfterMs: amount,
  indexes: true,
  mutationTtlMs: amount,
  namespace: true,
  shard: true,
  shared: true,
  signal: true,
  view,
};

/**
 * The result of a write, for `mutated`: an object of the informer's kind, or any whole object when the informer caches
 * only metadata or some fields.
 */
export type Written<T extends KubeObject> =
  T extends ProjectedObject<infer Whole extends KubeObject>
    ? Live<Whole> & SentWhole
    : T extends PartialObjectMetadata
      ? Live<KubeObject>
      : Live<T> & SentWhole;

/** Milliseconds from the start until `synced` rejects with the last failure. */
export const defaultFailAfterMs = 30_000;
