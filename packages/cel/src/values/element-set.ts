import { CelDouble } from "./cel-double.js";
import { CelUint } from "./cel-uint.js";
import type { CelValue } from "./cel-value.js";
import { isEqual } from "./equals.js";
import { mapKey } from "./map-key.js";

/** Finds equal values. Scalars are found at once; other values are compared one by one. */
export class ElementSet {
  readonly #scalars = new Set<unknown>();
  readonly #others: CelValue[] = [];

  constructor(values: Iterable<CelValue> = []) {
    for (const value of values) {
      this.add(value);
    }
  }

  add(value: CelValue): void {
    if (!isScalar(value)) {
      this.#others.push(value);
    } else if (!isNaNumber(value)) {
      this.#scalars.add(mapKey(value));
    }
  }

  /** Returns true if the set has a value that equals another one. */
  has(value: CelValue): boolean {
    return isScalar(value)
      ? !isNaNumber(value) && this.#scalars.has(mapKey(value))
      : this.#others.some((other) => isEqual(other, value));
  }
}

function isScalar(value: CelValue): boolean {
  return (
    typeof value !== "object" ||
    value === null ||
    value instanceof CelDouble ||
    value instanceof CelUint
  );
}

/** NaN equals nothing, not even itself. */
function isNaNumber(value: CelValue): boolean {
  return value instanceof CelDouble && Number.isNaN(value.value);
}
