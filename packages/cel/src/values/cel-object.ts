import type { CelType } from "./cel-type.js";
import type { CelValue } from "./cel-value.js";

/** An object whose fields its type declares, for example `self` of a rule. */
export abstract class CelObject {
  abstract readonly type: CelType;

  /** Number of fields that have a value, for costs. */
  abstract readonly size: number;

  /** True if `optional.ofNonZeroValue` has no value for it. */
  get isZero(): boolean {
    return false;
  }

  /** Returns the value of a field, `undefined` if the object does not have it. */
  abstract field(name: string): CelValue | undefined;

  /** Returns the names of the fields that the object has, as expressions write them. */
  abstract fieldNames(): Iterable<string>;

  /** Returns true if both objects have equal fields. */
  abstract equals(other: CelValue): boolean;
}
