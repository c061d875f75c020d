import type { CelValue } from "./cel-value.js";

/** A value that may be missing: `a.?b`, `optional.of(x)`. */
export class CelOptional {
  /** The optional without a value. */
  static readonly none: CelOptional = new CelOptional(undefined);
  /** The value; `undefined` for `optional.none()`. */
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}
