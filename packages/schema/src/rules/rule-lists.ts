import { ArrayList, CelFailure, CelList, type CelValue } from "@typekube/cel";
import { equality } from "@typekube/cel/internal";
import type { StructuralSchema } from "../structural/structural-schema.js";
import type { Convert } from "./convert.js";
import { escapeFieldName } from "./field-names.js";
import { elementKey, isCompound, rawElementKey, setKey } from "./list-keys.js";

/** A list of a custom resource; its elements are converted when they are read. */
export class PlainList extends CelList {
  readonly #values: readonly unknown[];
  readonly #items: StructuralSchema;
  readonly #convert: Convert;

  constructor(values: readonly unknown[], items: StructuralSchema, convert: Convert) {
    super();
    this.#values = values;
    this.#items = items;
    this.#convert = convert;
  }

  override get size(): number {
    return this.#values.length;
  }

  /** Kubernetes' lists of custom resources do not know the notion: `optional.ofNonZeroValue` takes an empty one, too. */
  override get isZero(): boolean {
    return false;
  }

  override at(index: number): CelValue {
    const value = this.#convert(this.#values[index], this.#items);
    // Validation by the schema comes first, so that an element always fits.
    return value instanceof CelFailure ? null : value;
  }

  /** An element that cannot be compared is a failure, unless another one is equal. */
  override contains(value: CelValue): boolean | CelFailure {
    let failure: CelFailure | undefined;
    for (let index = 0; index < this.size; index += 1) {
      const same = equality(this.at(index), value);
      if (same === true) {
        return true;
      }
      failure ??= same === false ? undefined : same;
    }
    return failure ?? false;
  }

  /** The left list decides: in order, even if the right one is a set. */
  override equals(other: CelList): boolean | CelFailure {
    const { size } = this;
    if (size !== other.size) {
      return false;
    }
    for (let index = 0; index < size; index += 1) {
      const same = equality(this.at(index), other.at(index));
      if (same !== true) {
        return same;
      }
    }
    return true;
  }
}

/** A list with `x-kubernetes-list-type: set`: the order does not matter, `+` unites. */
export class SetList extends PlainList {
  override equals(other: CelList): boolean | CelFailure {
    return areSetsEqual(this, other);
  }

  override concat(other: CelList): CelList | CelFailure {
    return united(this, other);
  }
}

/** The sum of a set and another list, which is a set again. */
class UnitedSet extends ArrayList {
  override get isZero(): boolean {
    return false;
  }

  override equals(other: CelList): boolean | CelFailure {
    return areSetsEqual(this, other);
  }

  override concat(other: CelList): CelList | CelFailure {
    return united(this, other);
  }
}

function areSetsEqual(set: CelList, other: CelList): boolean | CelFailure {
  if (set.size !== other.size) {
    return false;
  }
  const own = new Set<unknown>();
  for (const element of set) {
    if (isCompound(element)) {
      return notScalar();
    }
    own.add(setKey(element));
  }
  const seen = new Set<unknown>();
  for (const element of other) {
    if (isCompound(element)) {
      return notScalar();
    }
    const key = setKey(element);
    if (!own.has(key)) {
      return false;
    }
    seen.add(key);
  }
  return seen.size === own.size;
}

function notScalar(): CelFailure {
  return new CelFailure("listSet operations are only supported on lists of scalar values");
}

/** Appends the elements that the set does not have. */
function united(set: CelList, other: CelList): CelList | CelFailure {
  const elements: CelValue[] = [];
  const keys = new Set<unknown>();
  for (const element of [...set, ...other]) {
    if (isCompound(element)) {
      return notScalar();
    }
    const key = setKey(element);
    if (elements.length < set.size || !keys.has(key)) {
      elements.push(element);
    }
    keys.add(key);
  }
  return new UnitedSet(elements);
}

/** A list with `x-kubernetes-list-type: map`: the order does not matter, `+` replaces by key. */
export class MapList extends PlainList {
  readonly #keys: readonly string[];

  constructor(
    values: readonly unknown[],
    items: StructuralSchema,
    convert: Convert,
    keys: readonly string[],
  ) {
    super(values, items, convert);
    this.#keys = keys.map((key) => escapeFieldName(key) ?? key);
  }

  override equals(other: CelList): boolean | CelFailure {
    return areMapListsEqual(this, other, (element) => rawElementKey(element, this.#keys));
  }

  override concat(other: CelList): CelList {
    return merged(this, other, this.#keys);
  }
}

/** The sum of a list of type `map` and another list, which is of that type again. */
class MergedMapList extends ArrayList {
  readonly #keys: readonly string[];

  constructor(values: readonly CelValue[], keys: readonly string[]) {
    super(values);
    this.#keys = keys;
  }

  override get isZero(): boolean {
    return false;
  }

  override equals(other: CelList): boolean | CelFailure {
    return areMapListsEqual(this, other, (element) => elementKey(element, this.#keys));
  }

  override concat(other: CelList): CelList {
    return merged(this, other, this.#keys);
  }
}

function areMapListsEqual(
  list: CelList,
  other: CelList,
  keyOf: (element: CelValue) => unknown,
): boolean | CelFailure {
  if (list.size !== other.size) {
    return false;
  }
  const own = new Map(Array.from(list, (element) => [keyOf(element), element]));
  const seen = new Set<unknown>();
  for (const element of other) {
    const key = keyOf(element);
    const mine = own.get(key);
    const same = mine !== undefined && equality(mine, element);
    if (same !== true) {
      return same;
    }
    seen.add(key);
  }
  return seen.size === own.size;
}

/** Replaces the elements whose keys the other list has, too, and appends the others of that list. */
function merged(list: CelList, other: CelList, names: readonly string[]): CelList {
  const elements = [...list];
  const places = new Map(elements.map((element, index) => [elementKey(element, names), index]));
  for (const element of other) {
    const place = places.get(elementKey(element, names));
    if (place === undefined) {
      elements.push(element);
    } else {
      elements[place] = element;
    }
  }
  return new MergedMapList(elements, names);
}
