import { isFailure } from "../../values/cel-failure.js";
import { CelMap } from "../../values/cel-map.js";
import type { CelValue } from "../../values/cel-value.js";
import { mapKey } from "../../values/map-key.js";

interface Entry {
  readonly key: CelValue;
  readonly value: CelValue;
  /** Number of entries in front of this one. */
  readonly position: number;
}

/**
 * A map to which a loop adds entries one by one. Each map is a value of its own, but they share their entries: adding one
 * takes constant time, except to a map that has another successor already.
 */
export class GrowingMap extends CelMap {
  readonly #entries: Map<unknown, Entry>;
  override readonly size: number;

  private constructor(entries: Map<unknown, Entry>) {
    super();
    this.#entries = entries;
    this.size = entries.size;
  }

  /** Copies the entries of a map. */
  static of(map: CelMap): GrowingMap {
    const entries = new Map<unknown, Entry>();
    for (const key of map.keys()) {
      const value = map.find(key);
      if (value !== undefined && !isFailure(value)) {
        entries.set(mapKey(key), { key, value, position: entries.size });
      }
    }
    return new GrowingMap(entries);
  }

  /** Returns this map with another entry; the key must be a new one. */
  with(key: CelValue, value: CelValue): GrowingMap {
    if (this.#entries.size > this.size) {
      return GrowingMap.of(this).with(key, value);
    }
    this.#entries.set(mapKey(key), { key, value, position: this.size });
    return new GrowingMap(this.#entries);
  }

  override find(key: CelValue): CelValue | undefined {
    const entry = this.#entries.get(mapKey(key));
    return entry !== undefined && entry.position < this.size ? entry.value : undefined;
  }

  override *keys(): IterableIterator<CelValue> {
    for (const { key, position } of this.#entries.values()) {
      if (position >= this.size) {
        return;
      }
      yield key;
    }
  }
}
