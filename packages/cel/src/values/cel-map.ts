import type { CelFailure } from "./cel-failure.js";
import type { CelValue } from "./cel-value.js";
import { mapKey } from "./map-key.js";

/** A map. Subclasses decide where the entries come from. */
export abstract class CelMap {
  abstract readonly size: number;

  /** True if `optional.ofNonZeroValue` has no value for it: for an empty map, unless it is a part of a Kubernetes object. */
  get isZero(): boolean {
    return this.size === 0;
  }

  /** Returns the value of a key, `undefined` if the map has no such key, a failure if a key cannot have this type. */
  abstract find(key: CelValue): CelValue | CelFailure | undefined;

  /** Returns the keys in the order of insertion. */
  abstract keys(): Iterable<CelValue>;

  /**
   * Returns whether both maps are equal by a rule of their own, a failure if they cannot be compared, `undefined` if
   * entries decide.
   */
  equals(_other: CelMap): boolean | CelFailure | undefined {
    return undefined;
  }
}

interface Entry {
  readonly key: CelValue;
  readonly value: CelValue;
}

/** A map of entries that an expression created. The keys 1, 1u and 1.0 are one key. */
export class EntryMap extends CelMap {
  readonly #entries: ReadonlyMap<unknown, Entry>;

  /** Creates a map; of several entries with one key the last one counts. */
  constructor(entries: Iterable<readonly [CelValue, CelValue]>) {
    super();
    const map = new Map<unknown, Entry>();
    for (const [key, value] of entries) {
      map.set(mapKey(key), { key, value });
    }
    this.#entries = map;
  }

  override get size(): number {
    return this.#entries.size;
  }

  override find(key: CelValue): CelValue | undefined {
    return this.#entries.get(mapKey(key))?.value;
  }

  override *keys(): IterableIterator<CelValue> {
    for (const { key } of this.#entries.values()) {
      yield key;
    }
  }
}
