import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { ClientCore, KindReference } from "@typekube/client";
import { contextOf } from "@typekube/client/internal";
import type { CacheOptions } from "../options/informer-options.js";
import { sourceOf } from "../sources/source-of.js";
import { cacheKey } from "./cache-key.js";
import { SharedCache } from "./shared-cache.js";

/** Caches in use, by the `memory` that clients of one connection share, then by cache key. */
const cachesOf = new WeakMap<object, Map<string, unknown>>();

/**
 * Returns the cache with these options if one is in use, or creates it.
 *
 * @param notOlderThan - a resourceVersion: the first snapshot of a new cache must not be older.
 */
export function sharedCache<T extends KubeObject>(
  client: ClientCore,
  type: KindReference | ResourceDescriptor,
  options: CacheOptions<T>,
  notOlderThan?: string,
): SharedCache<T> {
  // Clients made by `client.with()` share the `memory` of their connection, unless they act as another user.
  const { memory, defaults } = contextOf(client);
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

/** Creates a cache that no other informer shares. */
export function newCache<T extends KubeObject>(
  client: ClientCore,
  type: KindReference | ResourceDescriptor,
  options: CacheOptions<T>,
  notOlderThan?: string,
  onEnd?: () => void,
): SharedCache<T> {
  const source = sourceOf(client, type, options);
  return new SharedCache<T>(source, options, contextOf(client).clock, onEnd, notOlderThan);
}
