import type { CelType } from "./cel-type.js";
import type { CelValue } from "./cel-value.js";

/** A value of an opaque type: only functions that are declared for the type can read it. */
export abstract class CelOpaque {
  abstract readonly type: CelType;

  abstract equals(other: CelValue): boolean;

  /** Size by which costs are counted; 1 unless the type has a size. */
  get costSize(): number {
    return 1;
  }
}
