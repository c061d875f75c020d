import type { FollowOptions } from "./follow-options.js";

/** Options of `watchFrom`: where it begins, and how it continues. */
export interface WatchFromOptions
  extends Omit<
    FollowOptions,
    | "maxBufferedEvents"
    | "maxBufferedObjects"
    | "onProgress"
    | "onState"
    | "pageSize"
    | "poll"
    | "streamingList"
    | "view"
  > {
  /** Everything after this resourceVersion is yielded. */
  readonly resourceVersion: string;
}
