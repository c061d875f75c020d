import type { KubeObject } from "@typekube/api";
import type { WireWatchEvent } from "@typekube/core/internal";
import { isOlderVersion } from "../store/is-older-version.js";

/**
 * Whether some of these events say how things are: a server that lags or was set back, and one that repeats itself, tells what was before
 * the version known. What has no version, or one without an order, may be news.
 */
export function hasNews(events: readonly WireWatchEvent[], known: string): boolean {
  // The last is the newest as a rule.
  const news = events.findLast(({ object }) => {
    const { metadata } = (object ?? {}) as Partial<KubeObject>;
    return !isOlderVersion(metadata?.resourceVersion ?? "", known);
  });
  return news !== undefined;
}
