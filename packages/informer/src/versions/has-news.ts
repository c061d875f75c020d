import type { KubeObject } from "@typekube/api";
import type { WireWatchEvent } from "@typekube/core/internal";
import { isOlderVersion } from "./is-older-version.js";

/**
 * Returns true when an event is not older than the known resourceVersion. A server that lags, was restored from a
 * backup or repeats itself sends older ones. An event without a resourceVersion, or with one that has no order, may be
 * news.
 */
export function hasNews(events: readonly WireWatchEvent[], known: string): boolean {
  // The last event is usually the newest.
  const news = events.findLast(({ object }) => {
    const { metadata } = (object ?? {}) as Partial<KubeObject>;
    return !isOlderVersion(metadata?.resourceVersion ?? "", known);
  });
  return news !== undefined;
}
