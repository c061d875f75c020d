import type { CelFailure } from "./cel-failure.js";
import type { CelValue } from "./cel-value.js";

/** A list. Subclasses decide where the elements come from, for example from JSON that is converted on access. */
export abstract class CelList {
  abstract readonly size: number;

  /** True if `optional.ofNonZeroValue` has no value for it: for an empty list, unless it is a part of a Kubernetes object. */
  get isZero(): boolean {
    return this.size === 0;
  }

  /** Returns the element at an index from 0 to size - 1. */
  abstract at(index: number): CelValue;

  /** Returns this list followed by another one; lists of definitions may merge by key instead. */
  concat(other: CelList): CelList | CelFailure {
    return new ConcatenatedList(this, other);
  }

  /**
   * Returns whether both lists are equal by a rule of their own, a failure if they cannot be compared, `undefined` if
   * elements decide in order.
   */
  equals(_other: CelList): boolean | CelFailure | undefined {
    return undefined;
  }

  /** Returns whether an element equals a value by a rule of the list, `undefined` if ordinary equality decides. */
  contains(_value: CelValue): boolean | CelFailure | undefined {
    return undefined;
  }

  *[Symbol.iterator](): IterableIterator<CelValue> {
    for (let index = 0; index < this.size; index += 1) {
      yield this.at(index);
    }
  }
}

/** A list of values in an array. */
export class ArrayList extends CelList {
  readonly values: readonly CelValue[];

  constructor(values: readonly CelValue[]) {
    super();
    this.values = values;
  }

  override get size(): number {
    return this.values.length;
  }

  override at(index: number): CelValue {
    return this.values[index] ?? null;
  }

  override [Symbol.iterator](): IterableIterator<CelValue> {
    return this.values[Symbol.iterator]();
  }
}

/** Two lists, one after the other, without copying. */
class ConcatenatedList extends CelList {
  readonly #first: CelList;
  readonly #second: CelList;
  override readonly size: number;
  #flat: readonly CelValue[] | undefined;

  constructor(first: CelList, second: CelList) {
    super();
    this.#first = first;
    this.#second = second;
    this.size = first.size + second.size;
  }

  /** As in Kubernetes, an empty list of the expression plus another one is that other one; any other sum is a new list. */
  override get isZero(): boolean {
    return this.size === 0 && (!this.#first.isZero || this.#second.isZero);
  }

  override at(index: number): CelValue {
    this.#flat ??= flatten(this.#first, this.#second);
    return this.#flat[index] ?? null;
  }
}

/** Copies the elements of both lists; a stack instead of recursion, since `a + b + c + ...` nests deeply. */
function flatten(first: CelList, second: CelList): readonly CelValue[] {
  return [...first, ...second];
}
