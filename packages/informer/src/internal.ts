// The parts that an informer is made of, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

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
