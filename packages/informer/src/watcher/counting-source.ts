import type { WatchSource } from "./watch-source.js";

/** Wraps a source and reports the bytes of its responses as they arrive. Keeps the other callbacks of a supervisor. */
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
