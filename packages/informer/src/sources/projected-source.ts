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
    listParts: (options, supervisor) =>
      later(() => {
        const projected = { ...options, fields: fields() };
        return source.listParts(projected, { ...supervisor, hasCheckedFields });
      }),
    watchBatches: (options, supervisor) =>
      later(() => {
        const projected = { ...options, fields: fields() };
        return source.watchBatches(projected, { ...supervisor, hasCheckedFields });
      }),
  });
}

/** Sends a request only when all that begin at the same time have told their fields. */
async function* later<P>(read: () => AsyncIterable<P>): AsyncGenerator<P, void, undefined> {
  await undefined;
  yield* read();
}
