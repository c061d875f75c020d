import type { KubeObject, Live } from "@typekube/api";
import type { IndexFunction, IndexTable } from "./index-table.js";
import { keyOf } from "./object-key.js";
import { ObjectTable } from "./object-table.js";

/** State of a store when a snapshot begins. */
export interface SnapshotBase<T extends KubeObject> {
  readonly objects: ObjectTable<Live<T>>;
  readonly indexes: ReadonlyMap<IndexFunction<Live<T>>, IndexTable<Live<T>>>;
}

/**
 * A snapshot that is built beside a store while it arrives. The differences from the store and the index entries are
 * computed object by object, so that replacing the store's content takes time only in proportion to the changes:
 * nothing else runs during that step.
 */
export class Snapshot<T extends KubeObject> {
  readonly objects: ObjectTable<Live<T>> = new ObjectTable();
  readonly #before: ObjectTable<Live<T>>;
  readonly #indexes = new Map<IndexTable<Live<T>>, IndexTable<Live<T>>>();
  /** Objects that are new or differ from the store's, by key. Not filled for an empty store, where everything is new. */
  readonly #changed = new Map<string, Live<T>>();
  /** Number of keys of the store that the snapshot contains too. */
  #kept = 0;

  constructor({ objects, indexes }: SnapshotBase<T>) {
    this.#before = objects;
    for (const index of indexes.values()) {
      this.#indexes.set(index, index.blank());
    }
  }

  /** Adds an object, or its new state when it changes during the snapshot. */
  put(namespace: string, name: string, object: Live<T>): void {
    if (this.#before.size === 0 && this.#indexes.size === 0) {
      this.objects.set(namespace, name, object);
      return;
    }
    const key = keyOf(namespace, name);
    const added = this.objects.at(namespace, name);
    this.objects.set(namespace, name, object);
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
    const known = this.#before.at(namespace, name);
    if (added === undefined && known !== undefined) {
      this.#kept++;
    }
    if (object === known) {
      this.#changed.delete(key);
    } else {
      this.#changed.set(key, object);
    }
  }

  /** Removes an object that was deleted during the snapshot. */
  remove(namespace: string, name: string): void {
    const added = this.objects.at(namespace, name);
    if (added === undefined) {
      return;
    }
    const key = keyOf(namespace, name);
    this.objects.delete(namespace, name);
    this.#changed.delete(key);
    if (this.#before.at(namespace, name) !== undefined) {
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
    for (const entry of this.#before.entries()) {
      if (this.objects.get(entry[0]) === undefined) {
        yield entry;
      }
    }
  }

  /** Returns the new and changed objects with their keys: in the order of the table if all are new, else of arrival. */
  changed(): Iterable<[string, Live<T>]> {
    return this.#before.size === 0 ? this.objects.entries() : this.#changed;
  }

  /** Returns a store's index, rebuilt over the snapshot. One that was added after the snapshot began is built now. */
  index(index: IndexTable<Live<T>>): IndexTable<Live<T>> {
    const added = this.#indexes.get(index);
    if (added !== undefined) {
      return added;
    }
    const late = index.blank();
    for (const [key, object] of this.objects.entries()) {
      late.add(key, object);
    }
    return late;
  }
}
