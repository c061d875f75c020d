import type { WatchSource } from "./watch-source.js";
import { wrapSource } from "./wrap-source.js";

/**
 * Wraps a source so that its requests keep some fields of each object.
 *
 * @param fields - called when a request is about to be sent; returns `undefined` for whole objects.
 * @param hasCheckedFields - `true` when the caller has checked their paths. Default false: each request does.
 */
export function projectedSource(
  source: WatchSource,
  fields: () => readonly string[] | undefined,
  hasCheckedFields = false,
): WatchSource {
  return wrapSource(source, {
    async *listParts(options, supervisor) {
      await undefined;
      const projected = { ...options, fields: fields() };
      yield* source.listParts(projected, { ...supervisor, hasCheckedFields });
    },
    async *watchBatches(options, supervisor) {
      await undefined;
      const projected = { ...options, fields: fields() };
      yield* source.watchBatches(projected, { ...supervisor, hasCheckedFields });
    },
  });
}
