import type { CelType } from "./cel-type.js";
import type { CelValue } from "./cel-value.js";

/** An object whose fields its type declares, for example `self` of a rule. */
export abstract class CelObject {
  abstract readonly type: CelType;

  /** Number of fields that have a value, for costs. */
  abstract readonly size: number;

  /** Returns the value of a field, `undefined` if the object does not have it. */
  abstract field(name: string): CelValue | undefined;

  /** Returns true if both objects have equal fields. */
  abstract equals(other: CelValue): boolean;
}
