import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { ClientCore, KindReference, UnknownKind } from "@typekube/client";
import { contextOf, type View } from "@typekube/client/internal";
import { type Clock, systemClock } from "@typekube/core/internal";
import { defaultOnError } from "../callbacks/default-on-error.js";
import type { FollowEvent } from "../events/follow-event.js";
import { assertWatching } from "../options/assert-watching.js";
import { checkFields } from "../options/check-fields.js";
import type { FollowOptions } from "../options/follow-options.js";
import { ownOptions } from "../options/own-options.js";
import type { ProjectionOptions } from "../options/projection-options.js";
import { sourceOf } from "../sources/source-of.js";
import type { WatchSource } from "../sources/watch-source.js";
import { guardCallbacks } from "../watcher/guard-callbacks.js";
import { Watcher } from "../watcher/watcher.js";
import { watcherSettings } from "../watcher/watcher-options.js";
import { endable } from "./endable.js";
import { defaultMaxBufferedEvents, defaultMaxBufferedObjects } from "./follow-buffer.js";
import { pollDifferences } from "./poll-differences.js";
import { readAhead } from "./read-ahead.js";

/**
 * Returns an endless async iterable over everything that happens to a collection. It recovers from failures and reports
 * them to `onError`. The server's responses are read independently of the reader, with a bound on the events that wait
 * for a slow one.
 *
 * @throws {KubeError} from the iteration, `Closed` when the client was closed; no other failure of requests ends it.
 *
 * @example
 * ```ts
 * for await (const event of follow(client, Pod, { namespace: "prod" })) {
 *   if (event.type === "applied") console.log(event.object.metadata.name);
 * }
 * ```
 */
export function follow<T extends KubeObject = UnknownKind>(
  client: ClientCore,
  type: KindReference | ResourceDescriptor<T>,
  options: FollowOptions<View> & ProjectionOptions = {},
): AsyncIterable<FollowEvent<T>> {
  assertWatching("follow", type, options);
  const { clock } = contextOf(client);
  const source = sourceOf(client, type, { ...options, hasCheckedFields: true });
  const onError =
    options.onError ?? defaultOnError(`follow of ${source.subject?.resource ?? type.kind}`, clock);
  return followSource(source, { ...options, onError }, clock, (fail) =>
    checkFields(type, options, fail),
  );
}

/**
 * {@link follow} for any source that lists and watches.
 *
 * @param onStart - called when an iteration starts, with a function that ends it with an error.
 */
export function followSource<T extends KubeObject>(
  source: WatchSource,
  options: FollowOptions<View> = {},
  clock: Clock = systemClock,
  onStart: (fail: (error: unknown) => void) => void = () => {},
): AsyncIterable<FollowEvent<T>> {
  const limits = {
    maxBufferedEvents: options.maxBufferedEvents ?? defaultMaxBufferedEvents,
    maxBufferedObjects: options.maxBufferedObjects ?? defaultMaxBufferedObjects,
  };
  const own = ownOptions(options);
  return endable(options.signal, (signal, fail) => {
    onStart(fail);
    const settings = watcherSettings(guardCallbacks(own, fail));
    const watcher = new Watcher<T>(source, settings, clock, signal);
    const run = settings.poll ? pollDifferences(watcher.run()) : watcher.run();
    return readAhead(run, limits, clock, signal);
  });
}
