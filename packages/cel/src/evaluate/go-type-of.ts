import { CelDouble } from "../values/cel-double.js";
import { CelUint } from "../values/cel-uint.js";
import type { CelValue } from "../values/cel-value.js";
import { typeOf } from "../values/type-of.js";

/** Returns the name of a value's type in cel-go, which the message contains. */
export function goTypeOf(value: CelValue): string {
  if (value instanceof CelDouble) {
    return "types.Double";
  }
  if (value instanceof CelUint) {
    return "types.Uint";
  }
  const { name, kind } = typeOf(value);
  const simple = kind === "duration" || kind === "timestamp" || kind === "null" ? kind : name;
  return `types.${simple.charAt(0).toUpperCase()}${simple.slice(1)}`;
}
