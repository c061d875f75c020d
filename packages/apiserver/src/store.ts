import { Collection } from "./collection.js";
import type { StoreEvent } from "./history.js";
import { omitKeys } from "./json-value.js";
import { type ApiObject, normalized } from "./stored-object.js";

/** The key of an object inside its collection. Real servers order by it, so does this one. */
export function objectKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

/**
 * Everything the server knows: one counter of versions over all collections, the newest state of each object, and
 * enough history to tell older states. Every write is one synchronous step.
 */
export class Store {
  readonly #historyLimit: number;
  readonly #collections = new Map<string, Collection>();
  readonly #waiters = new Set<() => void>();
  #revision = 0n;
  #compacted = 0n;

  constructor(historyLimit: number) {
    this.#historyLimit = historyLimit;
  }

  /** The version of the last write. */
  get revision(): bigint {
    return this.#revision;
  }

  /** The collection of a resource, made on first use. */
  collection(storage: string): Collection {
    let collection = this.#collections.get(storage);
    if (collection === undefined) {
      collection = new Collection(this.#historyLimit);
      this.#collections.set(storage, collection);
    }
    return collection;
  }

  /** Every collection that was ever used. */
  collections(): IterableIterator<readonly [storage: string, collection: Collection]> {
    return this.#collections.entries();
  }

  /** The newest version of a collection whose predecessors are forgotten. */
  floor(storage: string): bigint {
    return latest(this.collection(storage).history.floor, this.#compacted);
  }

  /** Creates or replaces an object and returns it as stored, with its new version. */
  put(storage: string, key: string, object: ApiObject): ApiObject {
    const collection = this.collection(storage);
    const previous = collection.get(key);
    const revision = this.#next();
    const stored = withVersion(object, revision);
    const namespace = stored.metadata.namespace ?? "";
    const type = previous === undefined ? "ADDED" : "MODIFIED";
    this.#commit(collection, { type, revision, key, namespace, object: stored, previous });
    return stored;
  }

  /** Removes an object; the last state, which watchers get, may be given. */
  remove(storage: string, key: string, last?: ApiObject): ApiObject | undefined {
    const collection = this.collection(storage);
    const previous = collection.get(key);
    if (previous === undefined) {
      return undefined;
    }
    const revision = this.#next();
    const object = withVersion(last ?? previous, revision);
    const namespace = object.metadata.namespace ?? "";
    this.#commit(collection, { type: "DELETED", revision, key, namespace, object, previous });
    return object;
  }

  /** Forgets history up to a version, as etcd's compaction does. */
  compact(revision: bigint): void {
    const upTo = revision < this.#revision ? revision : this.#revision;
    this.#compacted = latest(upTo, this.#compacted);
    for (const collection of this.#collections.values()) {
      collection.history.compact(upTo);
    }
  }

  /** Calls back after each write; returns what ends that. */
  onCommit(listener: () => void): () => void {
    this.#waiters.add(listener);
    return () => this.#waiters.delete(listener);
  }

  #next(): bigint {
    this.#revision += 1n;
    return this.#revision;
  }

  #commit(collection: Collection, event: StoreEvent): void {
    collection.record(event);
    for (const waiter of [...this.#waiters]) {
      waiter();
    }
  }
}

function latest(a: bigint, b: bigint): bigint {
  if (a < b) {
    return b;
  }
  return a;
}

/** The same object at another version. */
export function withVersion(object: ApiObject, revision: bigint): ApiObject {
  const metadata = { ...object.metadata, resourceVersion: String(revision) };
  return normalized({ ...object, metadata });
}

/** The same object without the version, for comparing states. */
export function withoutVersion(object: ApiObject): ApiObject {
  return { ...object, metadata: omitKeys(object.metadata, "resourceVersion") };
}
