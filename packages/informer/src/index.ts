// For everybody

export { type Conditions, conditions } from "./conditions/conditions.js";
export type { DescribedCondition, ObjectCondition } from "./conditions/object-condition.js";
export type { MetadataInformerOptions } from "./create-informer.js";
export { createInformer } from "./create-informer.js";
export type { Change } from "./handlers/change.js";
export type { ChangeHandler, HandlerHandle, HandlerOptions } from "./handlers/change-handler.js";
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
export type { IndexFunction } from "./store/index-table.js";
export type { IntakeOptions, Transform } from "./store/intake.js";
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
  PictureProgress,
  RestartReason,
  WatcherOptions,
} from "./watcher/watcher-options.js";
export type { WatcherState } from "./watcher/watcher-state.js";

// For libraries: the parts that an informer is made of

export type { CacheUser } from "./cache/shared-cache.js";
export { SharedCache } from "./cache/shared-cache.js";
export { ChangeQueue, defaultMaxQueuedChanges } from "./handlers/change-queue.js";
export { coalesce } from "./handlers/coalesce.js";
export { shardedSource } from "./shard/sharded-source.js";
export { MutationOverlay } from "./store/mutation-overlay.js";
export { Reflector } from "./store/reflector.js";
export { Store } from "./store/store.js";
export { untilOf } from "./until.js";
export { waitForOf } from "./wait-for.js";
export { withWaiting } from "./waiting.js";
export type { BackoffOptions } from "./watcher/backoff.js";
export { Backoff, defaultBackoff } from "./watcher/backoff.js";
export { followSource } from "./watcher/follow.js";
export { defaultMaxBufferedEvents, defaultMaxBufferedObjects } from "./watcher/follow-buffer.js";
export { rediscovering } from "./watcher/rediscovering.js";
export type { AfterFailure } from "./watcher/watch-failure.js";
export { afterWatchFailure } from "./watcher/watch-failure.js";
export { watchSourceFrom } from "./watcher/watch-from.js";
export type { WatchSource } from "./watcher/watch-source.js";
export { Watcher } from "./watcher/watcher.js";
export { watcherSettings } from "./watcher/watcher-options.js";
