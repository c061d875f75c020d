import type { WatchSource } from "./watch-source.js";

/** Wraps the requests of a source. Everything else that the source declares is passed on. */
export function wrapSource(
  source: WatchSource,
  requests: Pick<WatchSource, "listParts" | "watchBatches">,
): WatchSource {
  return {
    subject: source.subject,
    closed: source.closed,
    encoding: source.encoding,
    streamingLists: source.streamingLists,
    descriptor: (options) => source.descriptor(options),
    ...requests,
  } satisfies { readonly [K in keyof Required<WatchSource>]: WatchSource[K] };
}
