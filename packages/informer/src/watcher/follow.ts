import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { Client, KindOf, KindReference } from "@typekube/client";
import { type Clock, systemClock } from "@typekube/core";
import type { FollowEvent } from "./follow-event.js";
import { linkAbort } from "./linked-abort.js";
import type { WatchSource } from "./watch-source.js";
import { Watcher } from "./watcher.js";
import { type WatcherOptions, watcherSettings } from "./watcher-options.js";

/** How {@link follow} follows, and until when. */
export interface FollowOptions extends WatcherOptions {
  /** Absent: all namespaces, or a cluster-wide resource. */
  readonly namespace?: string | undefined;
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * An endless iteration over everything that happens to a collection. It heals itself; what goes wrong meanwhile is told to
 * `onError`.
 *
 * @example
 * for await (const event of follow(client, Pod, { namespace: "prod" })) {
 *   if (event.type === "applied") console.log(event.object.metadata.name);
 * }
 */
export function follow<T extends KubeObject>(
  client: Client,
  type: ResourceDescriptor<T>,
  options?: FollowOptions,
): AsyncIterable<FollowEvent<T>>;
export function follow<const R extends KindReference>(
  client: Client,
  type: R & { readonly plural?: never },
  options?: FollowOptions,
): AsyncIterable<FollowEvent<KindOf<R>>>;
export function follow(
  client: Client,
  type: KindReference | ResourceDescriptor,
  options: FollowOptions = {},
): AsyncIterable<FollowEvent> {
  return followSource(client.reader(type, options.namespace), options, client.context.clock);
}

/** {@link follow} on anything that lists and watches. */
export function followSource<T extends KubeObject>(
  source: WatchSource,
  options: FollowOptions = {},
  clock: Clock = systemClock,
): AsyncIterable<FollowEvent<T>> {
  return {
    [Symbol.asyncIterator]() {
      const abort = linkAbort(options.signal);
      const watcher = new Watcher<T>(source, watcherSettings(options), clock, abort.signal);
      const events = flatten(watcher.run());
      return {
        next: () => events.next(),
        // A generator that waits for the network cannot be ended from outside: the signal ends what it waits for.
        async return() {
          abort.abort(new DOMException("the iteration was ended", "AbortError"));
          abort[Symbol.dispose]();
          await events.return();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

async function* flatten<E>(batches: AsyncIterable<readonly E[]>): AsyncGenerator<E, void> {
  for await (const batch of batches) {
    yield* batch;
  }
}
