/** Gives the values under which an object is found; none, one or many. */
export type IndexFunction<T> = (object: T) => readonly string[];

/**
 * One index: value -> keys of the objects that have it. Values without objects are not kept. An object whose function throws is
 * found under no value.
 */
export class IndexTable<T> {
  /** How many asked for this index. */
  users = 1;
  readonly #valuesOf: IndexFunction<T>;
  readonly #onError: (error: unknown) => void;
  #keys = new Map<string, Set<string>>();

  constructor(valuesOf: IndexFunction<T>, onError: (error: unknown) => void = () => {}) {
    this.#valuesOf = valuesOf;
    this.#onError = onError;
  }

  add(key: string, object: T): void {
    for (const value of this.#values(object, this.#onError)) {
      const keys = this.#keys.get(value);
      if (keys) {
        keys.add(key);
      } else {
        this.#keys.set(value, new Set([key]));
      }
    }
  }

  remove(key: string, object: T): void {
    // What it throws now it threw, and told, when the object was added.
    for (const value of this.#values(object, () => {})) {
      const keys = this.#keys.get(value);
      if (keys?.delete(key) && keys.size === 0) {
        this.#keys.delete(value);
      }
    }
  }

  /** Forgets everything and begins with these. */
  rebuild(objects: Iterable<readonly [string, T]>): void {
    this.#keys = new Map();
    for (const [key, object] of objects) {
      this.add(key, object);
    }
  }

  /** The keys of the objects that have this value. */
  keys(value: string): Iterable<string> {
    return this.#keys.get(value) ?? [];
  }

  /** Every value that some object has. */
  values(): string[] {
    return [...this.#keys.keys()];
  }

  #values(object: T, onError: (error: unknown) => void): readonly string[] {
    try {
      return this.#valuesOf(object);
    } catch (error) {
      onError(error);
      return [];
    }
  }
}
