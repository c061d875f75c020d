import type { ListOptions, WatchOptions } from "@typekube/client";
import type { ListPart, WireWatchEvent } from "@typekube/core";

/** All that a watcher needs of a client; `client.reader()` is one, a test may write another. */
export interface WatchSource {
  /** The resource, for messages and to tell its objects from others. */
  descriptor(options?: {
    readonly signal?: AbortSignal;
  }): Promise<{ readonly kind: string; readonly plural: string }>;
  /** One list request, the parts as their bytes arrive. */
  listParts(options: ListOptions): AsyncIterable<ListPart>;
  /** One watch request, every event as it was sent. */
  watchBatches(options: WatchOptions): AsyncIterable<readonly WireWatchEvent[]>;
}
