import type { KubeObject, Live } from "@typekube/api";
import { resourceVersionOrder } from "@typekube/core";
import { type Clock, monotonicNow } from "@typekube/core/internal";
import { isOlderVersion } from "./is-older-version.js";
import { isSameState } from "./store.js";

/** Milliseconds after which an own write that the cache never showed is given up: it is not in the collection, it seems. */
export const defaultMutationTtlMs = 60_000;

/** What an overlay lies over. */
export interface Overlaid<T extends KubeObject> {
  /** The version up to which the cache shows the server. */
  readonly resourceVersion: string;
  get(key: string): Live<T> | undefined;
}

/** What is shown instead of a cached object: the own write; `null` for nothing, since it took the object out of what is followed. */
export type Standing<T extends KubeObject> = Live<T> | null;

interface Mutation<T extends KubeObject> {
  readonly object: Live<T>;
  readonly shown: Standing<T>;
  /** What the cache had when the write was told. */
  readonly basis: Live<T> | undefined;
  readonly since: number;
}

/**
 * Own writes that a cache does not show yet. A write stands in for the cached object until the cache has seen as much as the
 * write's version; from then on the cache is right, also when it says that the object is gone. (after client-go's MutationCache)
 */
export class MutationOverlay<T extends KubeObject> {
  readonly #cache: Overlaid<T>;
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #mutations = new Map<string, Mutation<T>>();

  constructor(cache: Overlaid<T>, clock: Clock, ttlMs: number = defaultMutationTtlMs) {
    this.#cache = cache;
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  /** How many writes are noted. */
  get size(): number {
    return this.#mutations.size;
  }

  /** Notes what a write returned. An older state than the one that is noted already changes nothing. */
  add(key: string, object: Live<T>): void {
    this.#note(key, object, object);
  }

  /** Notes a write that took an object out of what is followed, as {@link add} does others. Of the object its identity is kept. */
  hide(key: string, { metadata }: Live<KubeObject>): void {
    const { name, namespace, uid, resourceVersion } = metadata;
    this.#note(key, { metadata: { name, namespace, uid, resourceVersion } } as Live<T>, null);
  }

  #note(key: string, object: Live<T>, shown: Standing<T>): void {
    const noted = this.#mutations.get(key)?.object;
    if (isOlderVersion(object.metadata.resourceVersion, noted?.metadata.resourceVersion)) {
      return;
    }
    const basis = this.#cache.get(key);
    this.#mutations.set(key, { object, shown, basis, since: monotonicNow(this.#clock) });
  }

  /** What stands in for what the cache has under a key. */
  get(key: string): Standing<T> | undefined {
    const mutation = this.#mutations.get(key);
    if (mutation === undefined) {
      return undefined;
    }
    const ageMs = monotonicNow(this.#clock) - mutation.since;
    if (ageMs >= this.#ttlMs || this.#isVisible(key, mutation)) {
      this.#mutations.delete(key);
      return undefined;
    }
    return mutation.shown;
  }

  /** Forgets the writes of objects that are not looked at any more. */
  retain(isLookedAt: (object: Live<T>) => boolean): void {
    for (const [key, { object }] of this.#mutations) {
      if (!isLookedAt(object)) {
        this.#mutations.delete(key);
      }
    }
  }

  /** Everything that stands in for something, by key. */
  all(): Map<string, Standing<T>> {
    const standing = new Map<string, Standing<T>>();
    for (const key of [...this.#mutations.keys()]) {
      const shown = this.get(key);
      if (shown !== undefined) {
        standing.set(key, shown);
      }
    }
    return standing;
  }

  /** Whether the cache has caught up with the write. */
  #isVisible(key: string, { object, basis }: Mutation<T>): boolean {
    const cached = this.#cache.get(key);
    if (cached !== undefined && isSameState(cached, object)) {
      return true;
    }
    const written = object.metadata.resourceVersion;
    const seen = this.#cache.resourceVersion;
    const order = resourceVersionOrder(seen, written);
    if (order !== undefined) {
      return order >= 0;
    }
    // Without an order, any news of the object counts as news from after the write.
    return seen !== "" && cached !== basis;
  }
}
