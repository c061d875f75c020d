import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { ClientCore, KindReference } from "@typekube/client";
import { type AnyFieldsOption, contextOf } from "@typekube/client/internal";
import { attached, selectionOf } from "@typekube/core/internal";
import type { CacheOptions } from "../options/informer-options.js";
import { projectedSource } from "../sources/projected-source.js";
import { sourceOf } from "../sources/source-of.js";
import { cacheKey } from "./cache-key.js";
import { CachedFields } from "./cached-fields.js";
import { SharedCache } from "./shared-cache.js";

/** Caches in use, by the `memory` that clients of one connection share, then by cache key. */
const cachesOf = attached<Map<string, Set<SharedCache<never>>>>();

/**
 * Returns the cache with these options if one is in use, or creates it. A cache with more fields serves as well, and
 * one without a request yet takes more fields.
 *
 * @param notOlderThan - a resourceVersion: the first snapshot of a new cache must not be older.
 */
export function sharedCache<T extends KubeObject>(
  client: ClientCore,
  type: KindReference | ResourceDescriptor,
  options: CacheOptions<T> & AnyFieldsOption,
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
  const alike = all.get(key) ?? new Set();
  const { fields } = options;
  const wanted = fields && selectionOf(fields);
  const usable =
    [...alike].find((cache) => cache.fields.contain(wanted)) ??
    [...alike].find((cache) => cache.fields.extend(fields));
  if (usable !== undefined) {
    return usable as unknown as SharedCache<T>;
  }
  const forget = () => {
    alike.delete(made as unknown as SharedCache<never>);
    if (alike.size === 0 && all.get(key) === alike) {
      all.delete(key);
    }
  };
  const made: SharedCache<T> = newCache(client, type, options, notOlderThan, forget);
  all.set(key, alike.add(made as unknown as SharedCache<never>));
  return made;
}

/** Creates a cache that no other informer shares. */
export function newCache<T extends KubeObject>(
  client: ClientCore,
  type: KindReference | ResourceDescriptor,
  options: CacheOptions<T> & AnyFieldsOption,
  notOlderThan?: string,
  onEnd?: () => void,
): SharedCache<T> {
  const fields = new CachedFields(options.fields);
  const whole = sourceOf(client, type, { ...options, fields: undefined });
  const source =
    options.fields === undefined ? whole : projectedSource(whole, () => fields.take(), true);
  const { clock } = contextOf(client);
  return new SharedCache<T>(source, options, clock, onEnd, notOlderThan, fields);
}
