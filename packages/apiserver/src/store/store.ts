import { Collection } from "./collection.js";
import type { StoreEvent } from "./history.js";
import { omitKeys } from "./json-value.js";
import { type ApiObject, withVersion } from "./stored-object.js";

/** The key of an object inside its collection. Real servers order by it, so does this one. */
export function objectKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

/** Hears of a write and of where it was made. */
export type CommitListener = (event: StoreEvent, storage: string) => void;

/**
 * Everything the server knows: one counter of versions over all collections, the newest state of each object, and
 * enough history to tell older states. Every write is one synchronous step.
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

  /** Whether anybody hears of what happens here. */
  get isObserved(): boolean {
    return (
      this.#waiters.size > 0 ||
      [...this.#collections.values()].some(({ listeners }) => listeners > 0)
    );
  }

  /** Creates or replaces an object and returns it as stored, with its new version. */
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
   * Begins a collection with objects that are made when it is first read. They have the next versions, as if they were
   * written now, one after the other; nobody is notified.
   *
   * @param count - of the objects.
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

  /** Removes an object. Watchers get what was stored of it, also where a write that would have changed it ended it. */
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

  /** Forgets history up to a version, as etcd's compaction does. */
  compact(revision: bigint): void {
    const upTo = revision < this.#revision ? revision : this.#revision;
    this.#compacted = latest(upTo, this.#compacted);
    for (const collection of this.#collections.values()) {
      collection.history.compact(upTo);
    }
  }

  /** Calls back after each write, in which others may be made; returns what ends that. */
  onCommit(listener: CommitListener): () => void {
    this.#waiters.add(listener);
    return () => this.#waiters.delete(listener);
  }

  /** Hears every event in the order of the versions, inside the write that makes it, and writes nothing itself. */
  follow(follower: CommitListener): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Takes in an event of the store that this one follows. */
  replay(event: StoreEvent, storage: string): void {
    this.#revision = event.revision;
    this.#commit(storage, this.collection(storage), event);
  }

  /** The same state and history, to be changed independently. Its price does not depend on how many objects there are. */
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
   * Goes back by so many writes, or as far as the history of each collection reaches. Those who listen are not told:
   * this is for forks.
   */
  rewind(writes: number): void {
    const wanted = this.#revision - BigInt(writes);
    const known = [...this.#collections.values()]
      // What is empty and has no history knows nothing that could be too old.
      .filter(({ history, size }) => size > 0 || history.floor > 0n)
      .reduce((floor, { history }) => latest(floor, history.floor), this.#compacted);
    this.#revision = latest(wanted, known);
    for (const collection of this.#collections.values()) {
      collection.rewind(this.#revision);
    }
  }

  /**
   * Becomes what another store is, versions and all: those of later writes are given once more. Those who listen hear
   * of what is different, after all of it is in place.
   *
   * @param bump - goes on counting where it is instead, and forgets all history: whoever knows a version has to list.
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

/** The same object without the version, for comparing states. */
export function withoutVersion(object: ApiObject): ApiObject {
  return { ...object, metadata: omitKeys(object.metadata, "resourceVersion") };
}
