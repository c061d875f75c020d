import type { OptionTable } from "@typekube/core/internal";
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

/** The option that `watchFrom` adds to those of `follow`; it is checked when the watch begins. */
export const watchFromOnly: OptionTable<Omit<WatchFromOptions, keyof FollowOptions>> = {
  resourceVersion: true,
};
