import { isDeepStrictEqual } from "node:util";
import type { KubeObject, Live } from "@typekube/api";
import type { Change } from "../events/change.js";
import { isVersion } from "../versions/is-version.js";
import { type IndexErrorListener, type IndexFunction, IndexTable } from "./index-table.js";
import type { Place } from "./object-key.js";
import { ObjectTable } from "./object-table.js";
import { Snapshot } from "./snapshot.js";

/**
 * The objects of a collection by key, with indexes. Each method that modifies it returns the changes from the previous
 * state; unchanged objects make no change.
 */
export class Store<T extends KubeObject> {
  #objects = new ObjectTable<Live<T>>();
  /** Index tables by function: users with the same function share a table. */
  readonly #indexes = new Map<IndexFunction<Live<T>>, IndexTable<Live<T>>>();

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): Live<T> | undefined {
    return this.#objects.get(key);
  }

  /** Returns the object with a name; `namespace` is empty for a cluster-wide one. */
  at(namespace: string, name: string): Live<T> | undefined {
    return this.#objects.at(namespace, name);
  }

  /**
   * Returns all objects: namespaces, and the objects of each, in order of arrival.
   *
   * @param namespace - returns only the objects of this one.
   */
  values(namespace?: string): Live<T>[] {
    return namespace === undefined ? this.#objects.values() : this.#objects.valuesIn(namespace);
  }

  /** Returns all objects with their keys. A key contains the name on the server: a transform may show another. */
  entries(): IterableIterator<[string, Live<T>]> {
    return this.#objects.entries();
  }

  /**
   * Yields all keys, in the order of {@link values}.
   *
   * @param namespace - yields only the keys of this one.
   */
  *keys(namespace?: string): Iterable<string> {
    if (namespace !== undefined) {
      yield* this.#objects.keysIn(namespace);
      return;
    }
    for (const [key] of this.#objects.entries()) {
      yield key;
    }
  }

  /**
   * Adds an index over current and future objects. Each call needs its own {@link removeIndex}.
   *
   * @param user - receives errors of the function while it uses the index.
   */
  addIndex(valuesOf: IndexFunction<Live<T>>, user: IndexErrorListener): void {
    const known = this.#indexes.get(valuesOf);
    if (known !== undefined) {
      known.join(user);
      return;
    }
    const index = new IndexTable(valuesOf, [user]);
    for (const [key, object] of this.#objects.entries()) {
      index.add(key, object);
    }
    this.#indexes.set(valuesOf, index);
  }

  /** Removes a user of an index. The last user removes the index. */
  removeIndex(valuesOf: IndexFunction<Live<T>>, user: IndexErrorListener): void {
    if (this.#indexes.get(valuesOf)?.leave(user)) {
      this.#indexes.delete(valuesOf);
    }
  }

  /** Returns the objects with a value in an index; none when the index does not exist. */
  byIndex(valuesOf: IndexFunction<Live<T>>, value: string): Live<T>[] {
    const found: Live<T>[] = [];
    for (const [key, object] of this.#indexes.get(valuesOf)?.entries(value) ?? []) {
      const current = this.#current(key, object);
      if (current !== undefined) {
        found.push(current);
      }
    }
    return found;
  }

  /**
   * Returns the object of a key. An index may have an older one: the program may have modified it, so that its values
   * before a change were not found.
   */
  #current(key: string, indexed: Live<T>): Live<T> | undefined {
    const { metadata } = indexed;
    const isCurrent =
      metadata !== undefined &&
      this.#objects.at(metadata.namespace || "", metadata.name) === indexed;
    return isCurrent ? indexed : this.#objects.get(key);
  }

  /** Returns the keys of the objects that {@link byIndex} returns. */
  keysByIndex(valuesOf: IndexFunction<Live<T>>, value: string): Iterable<string> {
    return this.#indexes.get(valuesOf)?.keys(value) ?? [];
  }

  /** Returns all values of an index. */
  indexValues(valuesOf: IndexFunction<Live<T>>): string[] {
    return this.#indexes.get(valuesOf)?.values() ?? [];
  }

  /**
   * Sets the object of a place.
   *
   * @param previous - the object that is there, which the caller has already.
   */
  apply(
    { namespace, name, key }: Place,
    object: Live<T>,
    previous: Live<T> | undefined,
  ): Change<T> {
    this.#objects.set(namespace, name, object);
    for (const index of this.#indexes.values()) {
      if (previous === undefined) {
        index.add(key, object);
      } else {
        index.update(key, previous, object);
      }
    }
    return changeFrom(key, previous, object);
  }

  /**
   * Deletes the object of a place.
   *
   * @param object - final state of the object.
   * @returns the change; `undefined` when no object is there.
   */
  delete({ namespace, name, key }: Place, object: Live<T>): Change<T> | undefined {
    const previous = this.#objects.at(namespace, name);
    if (previous === undefined) {
      return undefined;
    }
    this.#objects.delete(namespace, name);
    for (const index of this.#indexes.values()) {
      index.remove(key, previous);
    }
    return { type: "delete", key, object, previous, finalStateUnknown: false };
  }

  /** Begins a snapshot that will replace the content. Until then, nothing else may modify the store. */
  beginSnapshot(): Snapshot<T> {
    return new Snapshot<T>({ objects: this.#objects, indexes: this.#indexes });
  }

  /**
   * Replaces the content by a snapshot in one step. Deletions come first, with unknown final states.
   *
   * @param initial - value of `initial` in the adds.
   * @param isListening - `false` when there are no readers of the changes: an empty store then returns none.
   */
  replace(snapshot: Snapshot<T>, initial = false, isListening = true): Change<T>[] {
    const before = this.#objects;
    const { objects } = snapshot;
    const changes: Change<T>[] = [];
    for (const [key, previous] of snapshot.missing()) {
      changes.push({ type: "delete", key, object: previous, previous, finalStateUnknown: true });
    }
    if (isListening || before.size > 0) {
      for (const [key, object] of snapshot.changed()) {
        changes.push(changeFrom(key, before.get(key), object, initial));
      }
    }
    this.#objects = objects;
    for (const [valuesOf, index] of this.#indexes) {
      this.#indexes.set(valuesOf, snapshot.index(index));
    }
    return changes;
  }
}

/**
 * Returns true when two objects under one key are the same state of the same object. When the server sends no
 * resourceVersions, compares everything.
 */
export function isSameState(a: Live<KubeObject>, b: Live<KubeObject>): boolean {
  const { resourceVersion, uid } = a.metadata;
  return (
    resourceVersion === b.metadata.resourceVersion &&
    uid === b.metadata.uid &&
    (isVersion(resourceVersion) || isDeepStrictEqual(a, b))
  );
}

/**
 * {@link isSameState} for servers that may have used a resourceVersion twice after a restore from backup: compares
 * everything.
 */
export function isEqualState(a: Live<KubeObject>, b: Live<KubeObject>): boolean {
  return isSameState(a, b) && isDeepStrictEqual(a, b);
}

/**
 * Returns the change from `previous` to `object`.
 *
 * @param initial - value of `initial` in an add.
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
