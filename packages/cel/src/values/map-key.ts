import { CelDouble } from "./cel-double.js";
import { normalInt } from "./cel-int.js";
import { CelUint } from "./cel-uint.js";
import type { CelValue } from "./cel-value.js";

/**
 * Returns a JavaScript value by which a `Map` finds a key: equal numbers of different types give the same one. A value
 * that cannot be a key stands for itself.
 */
export function mapKey(key: CelValue): unknown {
  if (key instanceof CelUint) {
    return key.value;
  }
  if (key instanceof CelDouble) {
    const { value } = key;
    // No int has a fraction; NaN equals nothing.
    return Number.isInteger(value) ? normalInt(BigInt(value)) : Number.isNaN(value) ? key : value;
  }
  return key;
}
