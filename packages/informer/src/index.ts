// For everybody

export { createInformer } from "./create-informer.js";
export type { Change } from "./handlers/change.js";
export type { ChangeHandler, HandlerHandle, HandlerOptions } from "./handlers/change-handler.js";
export { Informer } from "./informer.js";
export type { InformerHealth } from "./informer-health.js";
export type {
  CacheListOptions,
  InformerIndexes,
  InformerOptions,
  WaitOptions,
} from "./informer-options.js";
export type { IndexFunction } from "./store/index-table.js";
export { objectKey } from "./store/object-key.js";
export type { FollowOptions } from "./watcher/follow.js";
export { follow } from "./watcher/follow.js";
export type { FollowEvent } from "./watcher/follow-event.js";
export type { WatcherOptions } from "./watcher/watcher-options.js";
export type { WatcherState } from "./watcher/watcher-state.js";

// For libraries: the parts that an informer is made of

export { Reflector } from "./store/reflector.js";
export type { Indexes } from "./store/store.js";
export { Store } from "./store/store.js";
export type { BackoffOptions } from "./watcher/backoff.js";
export { Backoff, defaultBackoff } from "./watcher/backoff.js";
export { followSource } from "./watcher/follow.js";
export type { AfterFailure } from "./watcher/watch-failure.js";
export { afterWatchFailure } from "./watcher/watch-failure.js";
export type { WatchSource } from "./watcher/watch-source.js";
export { Watcher } from "./watcher/watcher.js";
export { watcherSettings } from "./watcher/watcher-options.js";
