import type { KubeObject, Live } from "@typekube/api";
import { resourceVersionOrder } from "@typekube/core";
import { type Clock, monotonicNow } from "@typekube/core/internal";
import { isOlderVersion } from "../versions/is-older-version.js";
import { isSameState } from "./store.js";

/**
 * Milliseconds after which a recorded write that the cache never showed is dropped: the object is probably not in the
 * collection.
 */
export const defaultMutationTtlMs = 60_000;

/** The cache under an overlay. */
export interface Overlaid<T extends KubeObject> {
  /** The resourceVersion up to which the cache reflects the server. */
  readonly resourceVersion: string;
  readonly store: { get(key: string): Live<T> | undefined };
}

/**
 * The object shown instead of the cached one: the recorded write, or `null` when the write took the object out of the
 * followed collection.
 */
export type Replacement<T extends KubeObject> = Live<T> | null;

interface Mutation<T extends KubeObject> {
  readonly object: Live<T>;
  readonly shown: Replacement<T>;
  /** The cached object when the write was recorded. */
  readonly basis: Live<T> | undefined;
  readonly since: number;
}

/**
 * Recorded writes that a cache does not show yet. A write replaces the cached object until the cache has reached the
 * write's resourceVersion; from then on the cache is right, even when the object is gone. (after client-go's
 * MutationCache)
 */
export class MutationOverlay<T extends KubeObject> {
  readonly #cache: () => Overlaid<T>;
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #mutations = new Map<string, Mutation<T>>();

  constructor(cache: () => Overlaid<T>, clock: Clock, ttlMs: number = defaultMutationTtlMs) {
    this.#cache = cache;
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  /** Number of recorded writes. */
  get size(): number {
    return this.#mutations.size;
  }

  /** Records the result of a write. A state older than the recorded one is ignored. */
  add(key: string, object: Live<T>): void {
    this.#note(key, object, object);
  }

  /**
   * Records a write that took an object out of the followed collection, by the rules of {@link add}. Keeps only the
   * object's identity.
   */
  hide(key: string, { metadata }: Live<KubeObject>): void {
    const { name, namespace, uid, resourceVersion } = metadata;
    this.#note(key, { metadata: { name, namespace, uid, resourceVersion } } as Live<T>, null);
  }

  #note(key: string, object: Live<T>, shown: Replacement<T>): void {
    const noted = this.#mutations.get(key)?.object;
    if (isOlderVersion(object.metadata.resourceVersion, noted?.metadata.resourceVersion)) {
      return;
    }
    const basis = this.#cache().store.get(key);
    this.#mutations.set(key, { object, shown, basis, since: monotonicNow(this.#clock) });
  }

  /** Returns what replaces the cached object of a key; `undefined` when nothing does. */
  get(key: string): Replacement<T> | undefined {
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

  /** Drops the writes of objects that are no longer followed. */
  retain(isFollowed: (object: Live<T>) => boolean): void {
    for (const [key, { object }] of this.#mutations) {
      if (!isFollowed(object)) {
        this.#mutations.delete(key);
      }
    }
  }

  /** Returns all replacements by key. */
  all(): Map<string, Replacement<T>> {
    const standing = new Map<string, Replacement<T>>();
    for (const key of [...this.#mutations.keys()]) {
      const shown = this.get(key);
      if (shown !== undefined) {
        standing.set(key, shown);
      }
    }
    return standing;
  }

  /** Returns true once the cache has caught up with the write. */
  #isVisible(key: string, { object, basis }: Mutation<T>): boolean {
    const cached = this.#cache().store.get(key);
    if (cached !== undefined && isSameState(cached, object)) {
      return true;
    }
    const written = object.metadata.resourceVersion;
    const seen = this.#cache().resourceVersion;
    const order = resourceVersionOrder(seen, written);
    if (order !== undefined) {
      return order >= 0;
    }
    // Without an order, any change of the cached object counts as newer than the write.
    return seen !== "" && cached !== basis;
  }
}
