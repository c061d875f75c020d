import { KubeError } from "@typekube/core";
import { atOnce } from "../callbacks/at-once.js";

/** Returns the values under which an object is found: none, one or many. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Receives errors of an index function. */
export type IndexErrorListener = (error: unknown) => void;

/**
 * One index: value -> the objects that have it, by key. Values without objects are removed. An object whose index
 * function throws has no values.
 */
export class IndexTable<T> {
  /** Users of this index, with one entry for each time they joined. */
  readonly #users: IndexErrorListener[];
  readonly #valuesOf: IndexFunction<T>;
  readonly #objects = new Map<string, Map<string, T>>();

  /** @param users - used as is, and extended by `join`. */
  constructor(valuesOf: IndexFunction<T>, users: IndexErrorListener[]) {
    this.#valuesOf = valuesOf;
    this.#users = users;
  }

  /** Returns an empty index with the same function and users. */
  blank(): IndexTable<T> {
    return new IndexTable(this.#valuesOf, this.#users);
  }

  join(user: IndexErrorListener): void {
    this.#users.push(user);
  }

  /** @returns `true` when no user is left. */
  leave(user: IndexErrorListener): boolean {
    const at = this.#users.indexOf(user);
    if (at >= 0) {
      this.#users.splice(at, 1);
    }
    return this.#users.length === 0;
  }

  add(key: string, object: T): void {
    this.#insert(key, object, this.#values(object));
  }

  remove(key: string, object: T): void {
    this.#take(key, this.#valuesBefore(object));
  }

  /** Replaces an object. Most changes leave its values, and so its places, unchanged. */
  update(key: string, before: T, object: T): void {
    const old = this.#valuesBefore(before);
    const values = this.#values(object);
    if (old.length !== values.length || old.some((value, at) => value !== values[at])) {
      this.#take(key, old);
    }
    this.#insert(key, object, values);
  }

  /** Returns the keys of the objects that have this value. */
  keys(value: string): Iterable<string> {
    return this.#objects.get(value)?.keys() ?? [];
  }

  /** Returns the objects that have this value, with their keys. */
  entries(value: string): Iterable<[string, T]> {
    return this.#objects.get(value) ?? [];
  }

  /** Returns every value that at least one object has. */
  values(): string[] {
    return [...this.#objects.keys()];
  }

  #insert(key: string, object: T, values: readonly string[]): void {
    for (const value of values) {
      const objects = this.#objects.get(value);
      if (objects) {
        objects.set(key, object);
      } else {
        this.#objects.set(value, new Map([[key, object]]));
      }
    }
  }

  #take(key: string, values: readonly string[]): void {
    for (const value of values) {
      const objects = this.#objects.get(value);
      if (objects?.delete(key) && objects.size === 0) {
        this.#objects.delete(value);
      }
    }
  }

  /** Returns the values of an object in the table. An error of the function was reported when the object was added. */
  #valuesBefore(object: T): readonly string[] {
    return indexValues(this.#valuesOf, object);
  }

  #values(object: T): readonly string[] {
    return indexValues(this.#valuesOf, object, (error) => {
      for (const user of new Set(this.#users)) {
        user(error);
      }
    });
  }
}

/** @throws {KubeError} `InvalidArgument` that names `what` when it is not a function. */
export function assertIndexFunction(what: string, valuesOf: unknown): void {
  if (typeof valuesOf !== "function") {
    throw new KubeError("InvalidArgument", `${what}: must be a function`, {
      hint: 'return the values to index an object by: (pod) => [pod.spec?.nodeName ?? ""]',
    });
  }
}

/** Returns the values under which an object is found; none when the function throws or does not return an array. */
export function indexValues<T>(
  valuesOf: IndexFunction<T>,
  object: T,
  onError: IndexErrorListener = () => {},
): readonly string[] {
  try {
    const values = atOnce("an index function", valuesOf(object));
    if (!Array.isArray(values)) {
      throw new KubeError("InvalidArgument", "an index function must return an array of strings", {
        hint: "return an empty array for an object without a value",
      });
    }
    return values;
  } catch (error) {
    onError(error);
    return [];
  }
}
