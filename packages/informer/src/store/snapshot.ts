import type { KubeObject, Live } from "@typekube/api";
import type { IndexFunction, IndexTable } from "./index-table.js";

/** What a store has when a picture of it begins. */
export interface SnapshotBase<T extends KubeObject> {
  readonly objects: ReadonlyMap<string, Live<T>>;
  readonly indexes: ReadonlyMap<IndexFunction<Live<T>>, IndexTable<Live<T>>>;
}

/**
 * Everything at once, built beside a store while it arrives. What it has in common with the store, and under which values its objects
 * are found, is worked out object by object, so that taking the store's place at the end is the work of what has changed and
 * not of what is there: nothing else runs meanwhile.
 */
export class Snapshot<T extends KubeObject> {
  readonly objects: Map<string, Live<T>> = new Map();
  readonly #before: ReadonlyMap<string, Live<T>>;
  readonly #indexes = new Map<IndexTable<Live<T>>, IndexTable<Live<T>>>();
  /** The keys of what the store has not as it is here. Into an empty store everything is new. */
  readonly #changed = new Set<string>();
  /** How many keys of the store are here as well. */
  #kept = 0;

  constructor({ objects, indexes }: SnapshotBase<T>) {
    this.#before = objects;
    for (const index of indexes.values()) {
      this.#indexes.set(index, index.blank());
    }
  }

  /** An object as it is; once more when it changes while the picture is under way. */
  draw(key: string, object: Live<T>): void {
    const drawn = this.objects.get(key);
    this.objects.set(key, object);
    for (const index of this.#indexes.values()) {
      if (drawn === undefined) {
        index.add(key, object);
      } else {
        index.update(key, drawn, object);
      }
    }
    if (this.#before.size === 0) {
      return;
    }
    const known = this.#before.get(key);
    if (drawn === undefined && known !== undefined) {
      this.#kept++;
    }
    if (object === known) {
      this.#changed.delete(key);
    } else {
      this.#changed.add(key);
    }
  }

  /** An object that was drawn and is gone. */
  erase(key: string): void {
    const drawn = this.objects.get(key);
    if (drawn === undefined) {
      return;
    }
    this.objects.delete(key);
    this.#changed.delete(key);
    if (this.#before.has(key)) {
      this.#kept--;
    }
    for (const index of this.#indexes.values()) {
      index.remove(key, drawn);
    }
  }

  /** What the store has and the picture has not. */
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

  /** The keys of what the store has not, or has otherwise, in the order in which they came. */
  changed(): Iterable<string> {
    return this.#before.size === 0 ? this.objects.keys() : this.#changed;
  }

  /** An index of the store over what is here; one that was added since the picture began is built now. */
  index(index: IndexTable<Live<T>>): IndexTable<Live<T>> {
    const drawn = this.#indexes.get(index);
    if (drawn !== undefined) {
      return drawn;
    }
    const late = index.blank();
    for (const [key, object] of this.objects) {
      late.add(key, object);
    }
    return late;
  }
}
