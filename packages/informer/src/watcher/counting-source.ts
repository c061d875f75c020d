import type { WatchSource } from "./watch-source.js";

/** The same source; the bytes of its answers are told as they come, beside whoever else observes them. */
export function countingSource(source: WatchSource, onBytes: (count: number) => void): WatchSource {
  return {
    subject: source.subject,
    closed: source.closed,
    encoding: source.encoding,
    streamingLists: source.streamingLists,
    descriptor: (options) => source.descriptor(options),
    listParts: (options, supervisor) => source.listParts(options, { ...supervisor, onBytes }),
    watchBatches: (options, supervisor) => source.watchBatches(options, { ...supervisor, onBytes }),
  };
}
