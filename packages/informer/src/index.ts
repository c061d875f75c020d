// For applications

export { type Conditions, conditions } from "./conditions/conditions.js";
export type { DescribedCondition, ObjectCondition } from "./conditions/object-condition.js";
export type { MetadataInformerOptions } from "./create-informer.js";
export { createInformer } from "./create-informer.js";
export type { Change } from "./handlers/change.js";
export type {
  AddInfo,
  ChangeHandler,
  DeleteInfo,
  HandlerHandle,
  HandlerOptions,
} from "./handlers/change-handler.js";
export { Informer } from "./informer.js";
export type { CacheHealth, InformerHealth } from "./informer-health.js";
export type {
  CacheListOptions,
  CacheOptions,
  InformerIndexes,
  InformerOptions,
  WaitOptions,
  Written,
} from "./informer-options.js";
export type { InformerIndex } from "./informer-view.js";
export type { Shard } from "./shard/shard.js";
export { shardFilter, shardSelector } from "./shard/shard.js";
export type { Transform, TransformOptions } from "./store/cache-transform.js";
export type { IndexFunction } from "./store/index-table.js";
export { objectKey } from "./store/object-key.js";
export type { ReadonlyStore, UntilCondition, UntilOptions } from "./until.js";
export { until } from "./until.js";
export type { WaitForOptions } from "./wait-for.js";
export { waitFor } from "./wait-for.js";
export type { Waiting, WaitingWith } from "./waiting.js";
export type { FollowOptions } from "./watcher/follow.js";
export { follow } from "./watcher/follow.js";
export type { FollowEvent } from "./watcher/follow-event.js";
export type { WatchFromOptions } from "./watcher/watch-from.js";
export { watchFrom } from "./watcher/watch-from.js";
export type {
  RestartReason,
  SnapshotProgress,
  WatcherOptions,
} from "./watcher/watcher-options.js";
export type { WatcherState } from "./watcher/watcher-state.js";
