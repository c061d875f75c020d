// The parts that an informer is made of, for libraries that build on them. Semver does not cover this entry point: it may change in any release.

export type { BackoffOptions } from "./backoff/backoff.js";
export { Backoff, defaultBackoff } from "./backoff/backoff.js";
export type { CacheUser } from "./cache/shared-cache.js";
export { SharedCache } from "./cache/shared-cache.js";
export { followSource } from "./follow/follow.js";
export { defaultMaxBufferedEvents, defaultMaxBufferedObjects } from "./follow/follow-buffer.js";
export { watchSourceFrom } from "./follow/watch-from.js";
export { ChangeQueue, defaultMaxQueuedChanges } from "./handlers/change-queue.js";
export { coalesce } from "./handlers/coalesce.js";
export { shardIndexOf } from "./shard/shard-index.js";
export { rediscovering } from "./sources/rediscovering.js";
export { shardedSource } from "./sources/sharded-source.js";
export type { WatchSource } from "./sources/watch-source.js";
export { MutationOverlay } from "./store/mutation-overlay.js";
export { Reflector } from "./store/reflector.js";
export { Store } from "./store/store.js";
export { untilOf } from "./waits/until.js";
export { waitForOf } from "./waits/wait-for.js";
export { withWaiting } from "./waits/waiting.js";
export type { AfterFailure } from "./watcher/watch-failure.js";
export { afterWatchFailure } from "./watcher/watch-failure.js";
export { Watcher } from "./watcher/watcher.js";
export { watcherSettings } from "./watcher/watcher-options.js";
