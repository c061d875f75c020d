import { ArrayList, CelFailure, CelList, CelMap, type CelValue } from "@typekube/cel";
import { isEqual, mapKey } from "@typekube/cel/internal";
import type { StructuralSchema } from "../structural/structural-schema.js";
import { escapeFieldName } from "./field-names.js";
import { ruleValue } from "./rule-value.js";

/** A list of a custom resource; its elements are converted when they are read. */
export class PlainList extends CelList {
  readonly #values: readonly unknown[];
  readonly #items: StructuralSchema;

  constructor(values: readonly unknown[], items: StructuralSchema) {
    super();
    this.#values = values;
    this.#items = items;
  }

  override get size(): number {
    return this.#values.length;
  }

  /** Kubernetes' lists of custom resources do not know the notion: `optional.ofNonZeroValue` takes an empty one, too. */
  override get isZero(): boolean {
    return false;
  }

  override at(index: number): CelValue {
    const value = ruleValue(this.#values[index], this.#items);
    // Validation by the schema comes first, so that an element always fits.
    return value instanceof CelFailure ? null : value;
  }
}

/** A list with `x-kubernetes-list-type: set`: the order does not matter, `+` unites. */
export class SetList extends PlainList {
  override equals(other: CelList): boolean {
    const own = new Set(Array.from(this, keyOf));
    return (
      this.size === other.size &&
      Array.from(other, keyOf).every((key) => own.has(key)) &&
      new Set(Array.from(other, keyOf)).size === own.size
    );
  }

  override concat(other: CelList): CelList {
    return united([...this], other, keyOf, false);
  }
}

/** A list with `x-kubernetes-list-type: map`: the order does not matter, `+` replaces by key. */
export class MapList extends PlainList {
  readonly #keys: readonly string[];

  constructor(values: readonly unknown[], items: StructuralSchema, keys: readonly string[]) {
    super(values, items);
    this.#keys = keys.map((key) => escapeFieldName(key) ?? key);
  }

  override equals(other: CelList): boolean {
    const own = new Map(Array.from(this, (element) => [this.#keyOf(element), element]));
    const seen = new Set<unknown>();
    for (const element of other) {
      const key = this.#keyOf(element);
      const same = own.get(key);
      if (same === undefined || !isEqual(same, element)) {
        return false;
      }
      seen.add(key);
    }
    return this.size === other.size && seen.size === own.size;
  }

  override concat(other: CelList): CelList {
    return united([...this], other, (element) => this.#keyOf(element), true);
  }

  #keyOf(element: CelValue): unknown {
    if (!(element instanceof CelMap)) {
      return undefined;
    }
    const parts = this.#keys.map((key) => {
      const value = element.find(key);
      return value === undefined || value instanceof CelFailure ? null : keyOf(value);
    });
    return JSON.stringify(parts, (_, part: unknown) =>
      typeof part === "bigint" ? `${part}n` : part,
    );
  }
}

/** Returns a value by which a `Map` finds an element of a set. */
function keyOf(element: CelValue): unknown {
  return mapKey(element);
}

/** Adds elements whose key is new; others replace the element with their key, or are left out. */
function united(
  elements: CelValue[],
  added: CelList,
  key: (element: CelValue) => unknown,
  replace: boolean,
): CelList {
  const places = new Map(elements.map((element, index) => [key(element), index]));
  for (const element of added) {
    const place = places.get(key(element));
    if (place === undefined) {
      places.set(key(element), elements.length);
      elements.push(element);
    } else if (replace) {
      elements[place] = element;
    }
  }
  return new UnitedList(elements);
}

class UnitedList extends ArrayList {
  override get isZero(): boolean {
    return false;
  }
}
