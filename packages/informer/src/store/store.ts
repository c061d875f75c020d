import { isDeepStrictEqual } from "node:util";
import type { KubeObject, Live } from "@typekube/api";
import type { Change } from "../handlers/change.js";
import { type IndexErrorListener, type IndexFunction, IndexTable } from "./index-table.js";
import { isVersion } from "./is-version.js";
import { Snapshot } from "./snapshot.js";

/**
 * The objects of a collection by key, with indexes. Every method that changes it says what changed for those who hold the
 * state before; what did not change makes no change.
 */
export class Store<T extends KubeObject> {
  #objects = new Map<string, Live<T>>();
  /** An index is known by its function: who brings the same function shares the table. */
  readonly #indexes = new Map<IndexFunction<Live<T>>, IndexTable<Live<T>>>();

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

  /** Every object with its key, which is of its name on the server: a transform may show another. */
  entries(): IterableIterator<[string, Live<T>]> {
    return this.#objects.entries();
  }

  /** The key of every object. */
  keys(): Iterable<string> {
    return this.#objects.keys();
  }

  /**
   * Adds an index over what is here and what comes. Each call wants its own {@link removeIndex}.
   *
   * @param user - told what the function throws, as long as it uses the index.
   */
  addIndex(valuesOf: IndexFunction<Live<T>>, user: IndexErrorListener): void {
    const known = this.#indexes.get(valuesOf);
    if (known !== undefined) {
      known.join(user);
      return;
    }
    const index = new IndexTable(valuesOf, [user]);
    for (const [key, object] of this.#objects) {
      index.add(key, object);
    }
    this.#indexes.set(valuesOf, index);
  }

  /** Gives an index up; the last of its users takes it away. */
  removeIndex(valuesOf: IndexFunction<Live<T>>, user: IndexErrorListener): void {
    if (this.#indexes.get(valuesOf)?.leave(user)) {
      this.#indexes.delete(valuesOf);
    }
  }

  /** The objects that an index holds under a value; none where there is no such index. */
  byIndex(valuesOf: IndexFunction<Live<T>>, value: string): Live<T>[] {
    const found: Live<T>[] = [];
    for (const key of this.keysByIndex(valuesOf, value)) {
      const object = this.#objects.get(key);
      if (object !== undefined) {
        found.push(object);
      }
    }
    return found;
  }

  /** The keys of what {@link byIndex} finds. */
  keysByIndex(valuesOf: IndexFunction<Live<T>>, value: string): Iterable<string> {
    return this.#indexes.get(valuesOf)?.keys(value) ?? [];
  }

  /** The values that an index knows. */
  indexValues(valuesOf: IndexFunction<Live<T>>): string[] {
    return this.#indexes.get(valuesOf)?.values() ?? [];
  }

  /**
   * The object of a key as it is now.
   *
   * @param previous - what {@link get} gives for the key: who brings something new has looked at it.
   */
  apply(key: string, object: Live<T>, previous: Live<T> | undefined): Change<T> {
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) {
      if (previous === undefined) {
        index.add(key, object);
      } else {
        index.update(key, previous, object);
      }
    }
    return changeFrom(key, previous, object);
  }

  /** The object of a key is gone; its last state. `undefined` when it was not here. */
  delete(key: string, object: Live<T>): Change<T> | undefined {
    const previous = this.#objects.get(key);
    if (previous === undefined) {
      return undefined;
    }
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) {
      index.remove(key, previous);
    }
    return { type: "delete", key, object, previous, finalStateUnknown: false };
  }

  /** Begins a picture of everything, to take the place of what is here. Until it has, nothing else may change the store. */
  beginSnapshot(): Snapshot<T> {
    return new Snapshot<T>({ objects: this.#objects, indexes: this.#indexes });
  }

  /**
   * Everything at once: a picture takes the place of what is here in one step. Deletions come first; their last state was not seen.
   *
   * @param initial - what adds say of themselves.
   */
  replace(snapshot: Snapshot<T>, initial = false): Change<T>[] {
    const before = this.#objects;
    const { objects } = snapshot;
    const changes: Change<T>[] = [];
    for (const [key, previous] of snapshot.missing()) {
      changes.push({ type: "delete", key, object: previous, previous, finalStateUnknown: true });
    }
    for (const key of snapshot.changed()) {
      changes.push(changeFrom(key, before.get(key), objects.get(key) as Live<T>, initial));
    }
    this.#objects = objects;
    for (const [valuesOf, index] of this.#indexes) {
      this.#indexes.set(valuesOf, snapshot.index(index));
    }
    return changes;
  }
}

/** Whether two objects under one key are the same state of the same object. Some servers give no versions: then all of it must be equal. */
export function isSameState(a: Live<KubeObject>, b: Live<KubeObject>): boolean {
  const { resourceVersion, uid } = a.metadata;
  return (
    resourceVersion === b.metadata.resourceVersion &&
    uid === b.metadata.uid &&
    (isVersion(resourceVersion) || isDeepStrictEqual(a, b))
  );
}

/** {@link isSameState}, where a server that was set back may have given the version twice. */
export function isEqualState(a: Live<KubeObject>, b: Live<KubeObject>): boolean {
  return isSameState(a, b) && isDeepStrictEqual(a, b);
}

/**
 * What it is for those who saw `previous` that an object is there as it is.
 *
 * @param initial - what an add says of itself.
 */
export function changeFrom<T extends KubeObject>(
  key: string,
  previous: Live<T> | undefined,
  object: Live<T>,
  initial = false,
): Change<T> {
  if (previous === undefined) {
    return { type: "add", key, object, initial };
  }
  const replaced = previous.metadata.uid !== object.metadata.uid;
  return { type: replaced ? "replaced" : "update", key, object, previous };
}
