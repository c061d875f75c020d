import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { PartialObjectMetadata } from "@typekube/api/meta/v1";
import type { Client, KindOf, KindReference, View } from "@typekube/client";
import { type Clock, systemClock } from "@typekube/core";
import { endable } from "./endable.js";
import type { FollowEvent } from "./follow-event.js";
import { sourceOf } from "./source-of.js";
import type { WatchSource } from "./watch-source.js";
import { Watcher } from "./watcher.js";
import { type WatcherOptions, watcherSettings } from "./watcher-options.js";

/** How {@link follow} follows, and until when. */
export interface FollowOptions extends WatcherOptions {
  /** Absent: all namespaces, or a cluster-wide resource. */
  readonly namespace?: string | undefined;
  /** `metadata` follows the metadata of the objects alone. Default `full`. */
  readonly view?: View | undefined;
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
export function follow(
  client: Client,
  type: KindReference,
  options: FollowOptions & { readonly view: "metadata" },
): AsyncIterable<FollowEvent<PartialObjectMetadata>>;
export function follow<T extends KubeObject>(
  client: Client,
  type: ResourceDescriptor<T>,
  options?: FollowOptions & { readonly view?: "full" | undefined },
): AsyncIterable<FollowEvent<T>>;
export function follow<const R extends KindReference>(
  client: Client,
  type: R & { readonly plural?: never },
  options?: FollowOptions & { readonly view?: "full" | undefined },
): AsyncIterable<FollowEvent<KindOf<R>>>;
export function follow(
  client: Client,
  type: KindReference | ResourceDescriptor,
  options: FollowOptions = {},
): AsyncIterable<FollowEvent<never>> {
  return followSource(sourceOf(client, type, options), options, client.context.clock);
}

/** {@link follow} on anything that lists and watches. */
export function followSource<T extends KubeObject>(
  source: WatchSource,
  options: FollowOptions = {},
  clock: Clock = systemClock,
): AsyncIterable<FollowEvent<T>> {
  return endable(options.signal, (signal) =>
    flatten(new Watcher<T>(source, watcherSettings(options), clock, signal).run()),
  );
}

async function* flatten<E>(batches: AsyncIterable<readonly E[]>): AsyncGenerator<E, void> {
  for await (const batch of batches) {
    yield* batch;
  }
}
