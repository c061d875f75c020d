import type { KubeObject, Live } from "@typekube/api";
import type { IndexFunction, IndexTable } from "./index-table.js";

/** State of a store when a snapshot begins. */
export interface SnapshotBase<T extends KubeObject> {
  readonly objects: ReadonlyMap<string, Live<T>>;
  readonly indexes: ReadonlyMap<IndexFunction<Live<T>>, IndexTable<Live<T>>>;
}

/**
 * A snapshot that is built beside a store while it arrives. The differences from the store and the index entries are
 * computed object by object, so that replacing the store's content takes time only in proportion to the changes:
 * nothing else runs during that step.
 */
export class Snapshot<T extends KubeObject> {
  readonly objects: Map<string, Live<T>> = new Map();
  readonly #before: ReadonlyMap<string, Live<T>>;
  readonly #indexes = new Map<IndexTable<Live<T>>, IndexTable<Live<T>>>();
  /** Keys of objects that are new or differ from the store's. Not filled for an empty store, where everything is new. */
  readonly #changed = new Set<string>();
  /** Number of keys of the store that the snapshot contains too. */
  #kept = 0;

  constructor({ objects, indexes }: SnapshotBase<T>) {
    this.#before = objects;
    for (const index of indexes.values()) {
      this.#indexes.set(index, index.blank());
    }
  }

  /** Adds an object, or its new state when it changes during the snapshot. */
  put(key: string, object: Live<T>): void {
    if (this.#before.size === 0 && this.#indexes.size === 0) {
      this.objects.set(key, object);
      return;
    }
    const added = this.objects.get(key);
    this.objects.set(key, object);
    for (const index of this.#indexes.values()) {
      if (added === undefined) {
        index.add(key, object);
      } else {
        index.update(key, added, object);
      }
    }
    if (this.#before.size === 0) {
      return;
    }
    const known = this.#before.get(key);
    if (added === undefined && known !== undefined) {
      this.#kept++;
    }
    if (object === known) {
      this.#changed.delete(key);
    } else {
      this.#changed.add(key);
    }
  }

  /** Removes an object that was deleted during the snapshot. */
  remove(key: string): void {
    const added = this.objects.get(key);
    if (added === undefined) {
      return;
    }
    this.objects.delete(key);
    this.#changed.delete(key);
    if (this.#before.has(key)) {
      this.#kept--;
    }
    for (const index of this.#indexes.values()) {
      index.remove(key, added);
    }
  }

  /** Yields the objects of the store that the snapshot lacks. */
  *missing(): Iterable<[string, Live<T>]> {
    if (this.#kept === this.#before.size) {
      return;
    }
    for (const entry of this.#before) {
      if (!this.objects.has(entry[0])) {
        yield entry;
      }
    }
  }

  /** Returns the keys of new and changed objects, in order of arrival. */
  changed(): Iterable<string> {
    return this.#before.size === 0 ? this.objects.keys() : this.#changed;
  }

  /** Returns a store's index, rebuilt over the snapshot. One that was added after the snapshot began is built now. */
  index(index: IndexTable<Live<T>>): IndexTable<Live<T>> {
    const added = this.#indexes.get(index);
    if (added !== undefined) {
      return added;
    }
    const late = index.blank();
    for (const [key, object] of this.objects) {
      late.add(key, object);
    }
    return late;
  }
}
