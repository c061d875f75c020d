import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { ClientCore, KindReference, UnknownKind } from "@typekube/client";
import { contextOf, type View } from "@typekube/client/internal";
import { type Clock, systemClock } from "@typekube/core/internal";
import { defaultOnError } from "../default-on-error.js";
import { assertWatching } from "../known-options.js";
import { ownOptions } from "../own-options.js";
import type { Shard } from "../shard/shard.js";
import { endable } from "./endable.js";
import { defaultMaxBufferedEvents, defaultMaxBufferedObjects } from "./follow-buffer.js";
import type { FollowEvent } from "./follow-event.js";
import { guardCallbacks } from "./guard-callbacks.js";
import { pollDifferences } from "./poll-differences.js";
import { readAhead } from "./read-ahead.js";
import { sourceOf } from "./source-of.js";
import type { WatchSource } from "./watch-source.js";
import { Watcher } from "./watcher.js";
import { type WatcherOptions, watcherSettings } from "./watcher-options.js";

/** Options of {@link follow}. It yields whole objects unless `V` says otherwise. */
export interface FollowOptions<V extends View = "full"> extends WatcherOptions {
  /**
   * Default: all namespaces, or a cluster-wide resource. An explicit `undefined` is rejected, as it is usually an unset
   * variable.
   */
  readonly namespace?: string;
  /**
   * One shard of the objects, when several workers divide them. Default: all objects. Can't be combined with
   * `shardSelector`.
   */
  readonly shard?: Shard | undefined;
  /** `metadata` follows only the metadata of the objects. Default `full`. */
  readonly view?: V | undefined;
  /**
   * Maximum number of events that wait while the reader is busy. Beyond this, the events of each object are coalesced
   * into the last one: a slow reader misses intermediate states, but never the last one. Default 1,000;
   * `Number.POSITIVE_INFINITY` never coalesces.
   */
  readonly maxBufferedEvents?: number | undefined;
  /**
   * Maximum number of objects whose changes wait while the reader is busy. Beyond this, reading from the server stops
   * and the waiting changes are dropped; when the reader continues, it gets a `gap` and a new snapshot. Default 10,000.
   * A snapshot itself is always read completely.
   */
  readonly maxBufferedObjects?: number | undefined;
  /** Ends the iteration when it aborts, without an error. */
  readonly signal?: AbortSignal | undefined;
}

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
  options: FollowOptions<View> = {},
): AsyncIterable<FollowEvent<T>> {
  assertWatching("follow", type, options);
  const { clock } = contextOf(client);
  const source = sourceOf(client, type, options);
  const onError =
    options.onError ?? defaultOnError(`follow of ${source.subject?.resource ?? type.kind}`, clock);
  return followSource(source, { ...options, onError }, clock);
}

/** {@link follow} for any source that lists and watches. */
export function followSource<T extends KubeObject>(
  source: WatchSource,
  options: FollowOptions<View> = {},
  clock: Clock = systemClock,
): AsyncIterable<FollowEvent<T>> {
  const limits = {
    maxBufferedEvents: options.maxBufferedEvents ?? defaultMaxBufferedEvents,
    maxBufferedObjects: options.maxBufferedObjects ?? defaultMaxBufferedObjects,
  };
  const own = ownOptions(options);
  return endable(options.signal, (signal, fail) => {
    const settings = watcherSettings(guardCallbacks(own, fail));
    const watcher = new Watcher<T>(source, settings, clock, signal);
    const run = settings.poll ? pollDifferences(watcher.run()) : watcher.run();
    return readAhead(run, limits, clock, signal);
  });
}
