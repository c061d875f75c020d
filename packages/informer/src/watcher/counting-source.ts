import type { WatchSource } from "./watch-source.js";

/** The same source; the bytes of its answers are told as they come, beside whoever else observes them. */
export function countingSource(source: WatchSource, onBytes: (count: number) => void): WatchSource {
  return {
    subject: source.subject,
    closed: source.closed,
    descriptor: (options) => source.descriptor(options),
    listParts: (options, observer) => source.listParts(options, { ...observer, onBytes }),
    watchBatches: (options, observer) => source.watchBatches(options, { ...observer, onBytes }),
  };
}
