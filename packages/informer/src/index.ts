// For applications

export { type Conditions, conditions } from "./conditions/conditions.js";
export type { DescribedCondition, ObjectCondition } from "./conditions/object-condition.js";
export type { MetadataInformerOptions } from "./create-informer.js";
export { createInformer } from "./create-informer.js";
export type { Change } from "./events/change.js";
export type { FollowEvent } from "./events/follow-event.js";
export { follow } from "./follow/follow.js";
export { watchFrom } from "./follow/watch-from.js";
export type {
  AddInfo,
  ChangeHandler,
  DeleteInfo,
  HandlerHandle,
} from "./handlers/change-handler.js";
export type { CacheHealth, InformerHealth } from "./health/informer-health.js";
export type { InformerIndex } from "./informer/informer-view.js";
export { Informer } from "./informer.js";
export type { CacheListOptions } from "./options/cache-list-options.js";
export type { FollowOptions } from "./options/follow-options.js";
export type { HandlerOptions } from "./options/handler-options.js";
export type {
  CacheOptions,
  InformerIndexes,
  InformerOptions,
  Written,
} from "./options/informer-options.js";
export type { Unchanged, UnchangedOption } from "./options/projection-options.js";
export type { ReadonlyStore, UntilOptions } from "./options/until-options.js";
export type { WaitOptions } from "./options/wait-options.js";
export type { WatchFromOptions } from "./options/watch-from-options.js";
export type { Shard } from "./shard/shard.js";
export { shardFilter, shardSelector } from "./shard/shard.js";
export type { Transform, TransformOptions } from "./store/cache-transform.js";
export type { IndexFunction } from "./store/index-table.js";
export { objectKey } from "./store/object-key.js";
export type { UntilCondition } from "./waits/until.js";
export { until } from "./waits/until.js";
export type { WaitForOptions } from "./waits/wait-for.js";
export { waitFor } from "./waits/wait-for.js";
export type { Waiting, WaitingWith } from "./waits/waiting.js";
export type {
  RestartReason,
  SnapshotProgress,
  WatcherOptions,
} from "./watcher/watcher-options.js";
export type { WatcherState } from "./watcher/watcher-state.js";
