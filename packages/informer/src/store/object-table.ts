import { keyOf } from "./object-key.js";

/**
 * Objects by namespace and name. One map for all of them would grow beyond the processor's caches: the map of one
 * namespace takes half of the time, and needs no string for namespace and name together.
 */
export class ObjectTable<T> {
  readonly #namespaces = new Map<string, Map<string, T>>();
  #size = 0;
  /** Namespace that was used last, and its objects: those of a namespace often come one after the other. */
  #lastNamespace = "";
  #last: Map<string, T> | undefined;

  get size(): number {
    return this.#size;
  }

  /** Returns the object with a name; `namespace` is empty for a cluster-wide one. */
  at(namespace: string, name: string): T | undefined {
    return this.#names(namespace)?.get(name);
  }

  /** Returns the object of a key: `namespace/name`, or `name` for a cluster-wide object. */
  get(key: string): T | undefined {
    const slash = key.indexOf("/");
    const found = slash < 0 ? undefined : this.at(key.slice(0, slash), key.slice(slash + 1));
    return found ?? this.at("", key);
  }

  set(namespace: string, name: string, object: T): void {
    let names = this.#names(namespace);
    if (names === undefined) {
      names = new Map();
      this.#namespaces.set(namespace, names);
      this.#last = names;
    }
    const before = names.size;
    names.set(name, object);
    this.#size += names.size - before;
  }

  delete(namespace: string, name: string): void {
    const names = this.#names(namespace);
    if (names?.delete(name)) {
      this.#size--;
      if (names.size === 0) {
        this.#namespaces.delete(namespace);
        this.#last = undefined;
      }
    }
  }

  /** Returns all objects: namespaces, and the objects of each, in order of arrival. */
  values(): T[] {
    const objects: T[] = [];
    for (const names of this.#namespaces.values()) {
      for (const object of names.values()) {
        objects.push(object);
      }
    }
    return objects;
  }

  /** Returns the objects of a namespace in order of arrival. */
  valuesIn(namespace: string): T[] {
    return [...(this.#names(namespace)?.values() ?? [])];
  }

  /** Yields all objects with their keys, in the order of {@link values}. */
  *entries(): IterableIterator<[string, T]> {
    for (const [namespace, names] of this.#namespaces) {
      for (const [name, object] of names) {
        yield [keyOf(namespace, name), object];
      }
    }
  }

  /** Yields the keys of the objects of a namespace, in order of arrival. */
  *keysIn(namespace: string): Iterable<string> {
    for (const name of this.#names(namespace)?.keys() ?? []) {
      yield keyOf(namespace, name);
    }
  }

  #names(namespace: string): Map<string, T> | undefined {
    if (this.#last === undefined || namespace !== this.#lastNamespace) {
      this.#last = this.#namespaces.get(namespace);
      this.#lastNamespace = namespace;
    }
    return this.#last;
  }
}
