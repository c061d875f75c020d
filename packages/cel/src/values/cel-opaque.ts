import type { CelFailure } from "./cel-failure.js";
import type { CelType } from "./cel-type.js";
import type { CelValue } from "./cel-value.js";

/** A value of an opaque type: only functions that are declared for the type can read it. */
export abstract class CelOpaque {
  abstract readonly type: CelType;

  /** Returns whether both values are equal; a failure where Kubernetes does not compare them, for example two types. */
  abstract equals(other: CelValue): boolean | CelFailure;

  /** Size by which costs are counted; 1 unless the type has a size. */
  get costSize(): number {
    return 1;
  }
}
