import type { KubeObject, Live } from "@typekube/api";
import type { PartialObjectMetadata } from "@typekube/api/meta/v1";
import type { View } from "@typekube/client/internal";
import type { LabelSelectorInput } from "@typekube/core";
import type { Shard } from "./shard/shard.js";
import type { TransformOptions } from "./store/cache-transform.js";
import type { IndexFunction } from "./store/index-table.js";
import type { WatcherOptions } from "./watcher/watcher-options.js";

/** Index functions by name. */
export type InformerIndexes<T extends KubeObject> = Readonly<
  Record<string, IndexFunction<Live<T>>>
>;

/** What an informer's cache holds and how it is kept: informers that agree in this share one watch. */
export interface CacheOptions<T extends KubeObject>
  extends Omit<WatcherOptions, "onError" | "onProgress" | "onRestart" | "onState">,
    TransformOptions<T> {
  /** Absent: all namespaces, or a cluster-wide resource. An explicit `undefined` is refused: it is usually a variable that is not set. */
  readonly namespace?: string;
  /** One part of the objects, where several workers divide them. Default: all. Not together with `shardSelector`. */
  readonly shard?: Shard | undefined;
  /** `metadata` keeps the metadata of the objects alone: a fraction of the bytes and of the memory. Default `full`. */
  readonly view?: View | undefined;
}

/** What an informer follows and how; whole objects, where `V` does not say otherwise. */
export interface InformerOptions<
  T extends KubeObject,
  I extends InformerIndexes<T> = InformerIndexes<T>,
  V extends View = "full",
> extends CacheOptions<T>,
    Pick<WatcherOptions, "onError" | "onProgress" | "onRestart" | "onState"> {
  /** `metadata` keeps the metadata of the objects alone: a fraction of the bytes and of the memory. Default `full`. */
  readonly view?: V | undefined;
  /** Ways to find objects besides their key: `informer.by.node("n1")`. */
  readonly indexes?: I | undefined;
  /** Milliseconds after which `synced` rejects with what is in the way. Default 30,000. */
  readonly failAfterMs?: number | undefined;
  /**
   * Share the watch and the cache with the other informers of this client that follow the same with the same options. Default
   * true. Handlers, indexes, `synced` and `close` are each informer's own in any case.
   */
  readonly shared?: boolean | undefined;
  /** Milliseconds for which a write told to `mutated` may stand in for what the cache has. Default 60,000. */
  readonly mutationTtlMs?: number | undefined;
  /** Ends the informer, as `close()` does. */
  readonly signal?: AbortSignal | undefined;
}

/** What a write returns that an informer is told of: its own kind, or any whole object where it holds metadata alone. */
export type Written<T extends KubeObject> = T extends PartialObjectMetadata
  ? Live<KubeObject>
  : Live<T>;

/** Milliseconds that a first sync may fail before those who wait for it learn why. */
export const defaultFailAfterMs = 30_000;

/** Which objects of a cache. */
export interface CacheListOptions {
  /** Absent: all namespaces. An explicit `undefined` is refused. */
  readonly namespace?: string;
  readonly labelSelector?: LabelSelectorInput | undefined;
}

/** What waits for a moment of an informer. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. Default: no limit. */
  readonly timeoutMs?: number | undefined;
}
