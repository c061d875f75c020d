import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { ClientCore } from "@typekube/client";
import type { KindReference } from "@typekube/client/internal";
import type { CacheOptions } from "../informer-options.js";
import { sourceOf } from "../watcher/source-of.js";
import { cacheKey } from "./cache-key.js";
import { SharedCache } from "./shared-cache.js";

/** The caches that are in use, by what the clients on one connection have in common. */
const cachesOf = new WeakMap<object, Map<string, unknown>>();

/**
 * Finds the cache that already keeps what is asked for, or makes one.
 *
 * @param notOlderThan - where one is made, its first picture is not from before this version.
 */
export function sharedCache<T extends KubeObject>(
  client: ClientCore,
  type: KindReference | ResourceDescriptor,
  options: CacheOptions<T>,
  notOlderThan?: string,
): SharedCache<T> {
  // `client.with()` makes clients of the same connection: what they have learned of the server is one object.
  const { memory, defaults } = client.context;
  let caches = cachesOf.get(memory);
  if (caches === undefined) {
    caches = new Map();
    cachesOf.set(memory, caches);
  }
  const all = caches;
  const key = cacheKey(type, options, defaults);
  const known = all.get(key);
  if (known !== undefined) {
    return known as SharedCache<T>;
  }
  const forget = () => {
    if (all.get(key) === made) {
      all.delete(key);
    }
  };
  const made: SharedCache<T> = newCache(client, type, options, notOlderThan, forget);
  all.set(key, made);
  return made;
}

/** A cache that nobody else finds. */
export function newCache<T extends KubeObject>(
  client: ClientCore,
  type: KindReference | ResourceDescriptor,
  options: CacheOptions<T>,
  notOlderThan?: string,
  onEnd?: () => void,
): SharedCache<T> {
  const source = sourceOf(client, type, options);
  return new SharedCache<T>(source, options, client.context.clock, onEnd, notOlderThan);
}
