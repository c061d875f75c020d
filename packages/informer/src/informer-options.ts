import type { KubeObject, Live } from "@typekube/api";
import type { LabelSelectorInput } from "@typekube/core";
import type { IndexFunction } from "./store/index-table.js";
import type { WatcherOptions } from "./watcher/watcher-options.js";

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
export const defaultFailAfterMs = 30_000;

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
