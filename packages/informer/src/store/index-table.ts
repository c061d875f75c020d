/** Gives the values under which an object is found; none, one or many. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** One index: value -> keys of the objects that have it. Values without objects are not kept. */
export class IndexTable<T> {
  readonly #valuesOf: IndexFunction<T>;
  readonly #keys = new Map<string, Set<string>>();

  constructor(valuesOf: IndexFunction<T>) {
    this.#valuesOf = valuesOf;
  }

  add(key: string, object: T): void {
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keys.get(value);
      if (keys) {
        keys.add(key);
      } else {
        this.#keys.set(value, new Set([key]));
      }
    }
  }

  remove(key: string, object: T): void {
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keys.get(value);
      if (keys?.delete(key) && keys.size === 0) {
        this.#keys.delete(value);
      }
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
}
