import { type ApiObject, withVersion } from "../objects/api-object.js";
import { omitKeys } from "../objects/json-value.js";
import { Collection } from "./collection.js";
import type { StoreEvent } from "./history.js";

/** Returns the key of an object in its collection. Like real servers, collections are sorted by it. */
export function objectKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

/** Called with each write and its storage. */
export type CommitListener = (event: StoreEvent, storage: string) => void;

/**
 * The state of a server: one revision counter for all collections, the current objects, and enough history to
 * reconstruct older states. Every write is one synchronous step.
 */
export class Store {
  readonly #historyLimit: number;
  readonly #collections = new Map<string, Collection>();
  readonly #waiters = new Set<CommitListener>();
  readonly #followers = new Set<CommitListener>();
  #revision = 0n;
  #compacted = 0n;

  constructor(historyLimit: number) {
    this.#historyLimit = historyLimit;
  }

  /** The revision of the last write. */
  get revision(): bigint {
    return this.#revision;
  }

  /** Returns the collection of a resource, created on first use. */
  collection(storage: string): Collection {
    let collection = this.#collections.get(storage);
    if (collection === undefined) {
      collection = new Collection(this.#historyLimit);
      this.#collections.set(storage, collection);
    }
    return collection;
  }

  /** Returns every collection used so far. */
  collections(): IterableIterator<readonly [storage: string, collection: Collection]> {
    return this.#collections.entries();
  }

  /** Returns the revision up to which the history of a collection is forgotten. */
  floor(storage: string): bigint {
    return latest(this.collection(storage).history.floor, this.#compacted);
  }

  /** `true` while the store has listeners. */
  get isObserved(): boolean {
    return (
      this.#waiters.size > 0 ||
      [...this.#collections.values()].some(({ listeners }) => listeners > 0)
    );
  }

  /** Creates or replaces an object and returns it as stored, with its new resourceVersion. */
  put(storage: string, key: string, object: ApiObject): ApiObject {
    const collection = this.collection(storage);
    const previous = collection.get(key);
    const revision = this.#next();
    const stored = withVersion(object, revision);
    const namespace = stored.metadata.namespace ?? "";
    const type = previous === undefined ? "ADDED" : "MODIFIED";
    this.#commit(storage, collection, { type, revision, key, namespace, object: stored, previous });
    return stored;
  }

  /**
   * Initializes a collection with objects that are created on first read. They get the next resourceVersions, as if
   * they were written now, one after the other, but listeners are not notified.
   *
   * @param count - number of objects.
   */
  prepare(storage: string, count: number, make: () => readonly ApiObject[]): void {
    const first = this.#revision + 1n;
    this.#revision += BigInt(count);
    this.collection(storage).prepare(() =>
      make().map((object, at) => {
        const revision = first + BigInt(at);
        const { name = "", namespace = "" } = object.metadata;
        const key = objectKey(namespace, name);
        return { type: "ADDED", revision, key, namespace, object: withVersion(object, revision) };
      }),
    );
  }

  /** Removes an object. Watchers get its stored state, even if the write that removed it would have changed it. */
  remove(storage: string, key: string): ApiObject | undefined {
    const collection = this.collection(storage);
    const previous = collection.get(key);
    if (previous === undefined) {
      return undefined;
    }
    const revision = this.#next();
    const object = withVersion(previous, revision);
    const namespace = object.metadata.namespace ?? "";
    this.#commit(storage, collection, {
      type: "DELETED",
      revision,
      key,
      namespace,
      object,
      previous,
    });
    return object;
  }

  /** Forgets history up to a revision, like an etcd compaction. */
  compact(revision: bigint): void {
    const upTo = revision < this.#revision ? revision : this.#revision;
    this.#compacted = latest(upTo, this.#compacted);
    for (const collection of this.#collections.values()) {
      collection.history.compact(upTo);
    }
  }

  /** Calls the listener after each write; it may write itself. Returns a function that unsubscribes. */
  onCommit(listener: CommitListener): () => void {
    this.#waiters.add(listener);
    return () => this.#waiters.delete(listener);
  }

  /**
   * Calls the follower for every event in revision order, during its write; it must not write to this store. Returns a
   * function that unsubscribes.
   */
  follow(follower: CommitListener): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Applies an event of the store that this one follows. */
  replay(event: StoreEvent, storage: string): void {
    this.#revision = event.revision;
    this.#commit(storage, this.collection(storage), event);
  }

  /** Returns an independent store with the same state and history. The cost does not depend on the number of objects. */
  fork(): Store {
    const fork = new Store(this.#historyLimit);
    fork.#revision = this.#revision;
    fork.#compacted = this.#compacted;
    for (const [storage, collection] of this.#collections) {
      fork.#collections.set(storage, collection.fork());
    }
    return fork;
  }

  /**
   * Goes back by a number of writes, or as far as the history of each collection reaches. Does not notify listeners:
   * used for forks only.
   */
  rewind(writes: number): void {
    const wanted = this.#revision - BigInt(writes);
    const known = [...this.#collections.values()]
      // An empty collection without forgotten events sets no limit.
      .filter(({ history, size }) => size > 0 || history.floor > 0n)
      .reduce((floor, { history }) => latest(floor, history.floor), this.#compacted);
    this.#revision = latest(wanted, known);
    for (const collection of this.#collections.values()) {
      collection.rewind(this.#revision);
    }
  }

  /**
   * Takes over the state of another store, including its revision, so that later revisions are used again. Listeners
   * are notified of the differences once all of them are in place.
   *
   * @param bump - `true` to continue counting revisions and to forget all history, so that clients with an older
   * resourceVersion must relist.
   */
  restore(other: Store, bump = false): void {
    this.#revision = bump ? latest(this.#revision, other.#revision) + 1n : other.#revision;
    this.#compacted = bump ? this.#revision : other.#compacted;
    const storages = new Set([...this.#collections.keys(), ...other.#collections.keys()]);
    const changes = [...storages].flatMap((storage) => {
      const collection = this.collection(storage);
      const events = collection.restore(other.collection(storage), this.#revision);
      return events.map((event) => ({ storage, collection, event }));
    });
    for (const { storage, collection, event } of changes) {
      collection.tell(event);
      this.#wake(event, storage);
    }
  }

  #next(): bigint {
    this.#revision += 1n;
    return this.#revision;
  }

  #commit(storage: string, collection: Collection, event: StoreEvent): void {
    collection.record(event);
    for (const follower of this.#followers) {
      follower(event, storage);
    }
    this.#wake(event, storage);
  }

  #wake(event: StoreEvent, storage: string): void {
    if (this.#waiters.size === 0) {
      return;
    }
    for (const waiter of [...this.#waiters]) {
      waiter(event, storage);
    }
  }
}

function latest(a: bigint, b: bigint): bigint {
  if (a < b) {
    return b;
  }
  return a;
}

/** Returns the object without its resourceVersion, for comparing states. */
export function withoutVersion(object: ApiObject): ApiObject {
  return { ...object, metadata: omitKeys(object.metadata, "resourceVersion") };
}
