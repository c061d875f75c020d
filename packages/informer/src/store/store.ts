import type { KubeObject, Live } from "@typekube/api";
import type { Change } from "../handlers/change.js";
import { type IndexFunction, IndexTable } from "./index-table.js";
import { objectKey } from "./object-key.js";

/** Index functions by name. */
export type Indexes<T> = Readonly<Record<string, IndexFunction<T>>>;

/**
 * The objects of a collection by key, with indexes. Every method that changes it says what changed for those who hold the
 * state before; what did not change makes no change.
 */
export class Store<T extends KubeObject> {
  #objects = new Map<string, Live<T>>();
  readonly #functions = new Map<string, IndexFunction<Live<T>>>();
  #indexes = new Map<string, IndexTable<Live<T>>>();

  constructor(indexes: Indexes<Live<T>> = {}) {
    for (const [name, valuesOf] of Object.entries(indexes)) {
      this.#functions.set(name, valuesOf);
      this.#indexes.set(name, new IndexTable(valuesOf));
    }
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): Live<T> | undefined {
    return this.#objects.get(key);
  }

  /** Every object, in the order in which they came. */
  values(): IterableIterator<Live<T>> {
    return this.#objects.values();
  }

  /** The objects that an index holds under a value. */
  byIndex(name: string, value: string): Live<T>[] {
    const found: Live<T>[] = [];
    for (const key of this.#indexes.get(name)?.keys(value) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) {
        found.push(object);
      }
    }
    return found;
  }

  /** The values that an index knows. */
  indexValues(name: string): string[] {
    return this.#indexes.get(name)?.values() ?? [];
  }

  /** An object as it is now. `undefined` when it is the one that is here already. */
  apply(object: Live<T>): Change<T> | undefined {
    const key = objectKey(object);
    const previous = this.#objects.get(key);
    if (previous?.metadata.resourceVersion === object.metadata.resourceVersion) {
      return undefined;
    }
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) {
      if (previous !== undefined) {
        index.remove(key, previous);
      }
      index.add(key, object);
    }
    return changeFrom(key, previous, object);
  }

  /** An object that is gone; its last state. `undefined` when it was not here. */
  delete(object: Live<T>): Change<T> | undefined {
    const key = objectKey(object);
    const previous = this.#objects.get(key);
    if (previous === undefined) {
      return undefined;
    }
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) {
      index.remove(key, previous);
    }
    return { type: "delete", key, object, finalStateUnknown: false };
  }

  /**
   * Everything at once: the new picture takes the place of the old one in one step. An object that has the same version in
   * both stays the one it was. Deletions come first; their last state was not seen.
   */
  replace(objects: Map<string, Live<T>>): Change<T>[] {
    const before = this.#objects;
    const changes: Change<T>[] = [];
    for (const [key, previous] of before) {
      if (!objects.has(key)) {
        changes.push({ type: "delete", key, object: previous, finalStateUnknown: true });
      }
    }
    for (const [key, object] of objects) {
      const previous = before.get(key);
      if (previous?.metadata.resourceVersion === object.metadata.resourceVersion) {
        objects.set(key, previous);
      } else {
        changes.push(changeFrom(key, previous, object));
      }
    }
    const indexes = new Map<string, IndexTable<Live<T>>>();
    for (const [name, valuesOf] of this.#functions) {
      const index = new IndexTable(valuesOf);
      for (const [key, object] of objects) {
        index.add(key, object);
      }
      indexes.set(name, index);
    }
    this.#objects = objects;
    this.#indexes = indexes;
    return changes;
  }
}

function changeFrom<T extends KubeObject>(
  key: string,
  previous: Live<T> | undefined,
  object: Live<T>,
): Change<T> {
  if (previous === undefined) {
    return { type: "add", key, object, initial: false };
  }
  const replaced = previous.metadata.uid !== object.metadata.uid;
  return { type: replaced ? "replaced" : "update", key, object, previous };
}
