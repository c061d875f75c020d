import type { WatchOptions } from "@typekube/client";
import { type Clock, linkAbort, type WireWatchEvent } from "@typekube/core/internal";
import { type GuardedWatch, WatchGuard } from "../guards/watch-guard.js";
import type { WatchSource } from "../sources/watch-source.js";
import { readOptions, type WatcherSettings } from "./watcher-options.js";

/** Options that decide where a watch begins. */
export type WatchStart = Pick<
  WatchOptions,
  "resourceVersion" | "resourceVersionMatch" | "sendInitialEvents"
>;

/** Returns the start of a streaming list. The same request continues as the watch. */
export function streamingList(resourceVersion: string | undefined): WatchStart {
  return { resourceVersion, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
}

/** Runs one watch request from its start to its end. Requests a random duration, and cuts the watch when it goes dead. */
export async function* watchRequest(
  source: WatchSource,
  settings: WatcherSettings,
  clock: Clock,
  signal: AbortSignal,
  start: WatchStart,
  watch: Omit<GuardedWatch, "fail" | "lifeMs">,
): AsyncGenerator<readonly WireWatchEvent[], void> {
  const lifeMs = settings.minWatchMs * (1 + settings.random());
  using abort = linkAbort(signal);
  using guard = new WatchGuard(clock, settings, {
    ...watch,
    lifeMs,
    fail: (error) => abort.abort(error),
  });
  const options = {
    ...readOptions(settings),
    timeoutSeconds: Math.ceil(lifeMs / 1000),
    signal: abort.signal,
    ...start,
  } as WatchOptions;
  const batches = source.watchBatches(options, {
    onResponse: () => guard.responded(),
    isRepeated: false,
    takesTables: true,
  });
  for await (const batch of batches) {
    guard.received();
    yield batch;
    guard.processed(batch);
  }
  signal.throwIfAborted();
}
