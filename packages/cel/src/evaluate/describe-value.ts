import { CelDouble } from "../values/cel-double.js";
import { CelDuration } from "../values/cel-duration.js";
import { CelOptional } from "../values/cel-optional.js";
import { CelTimestamp } from "../values/cel-timestamp.js";
import { CelType } from "../values/cel-type.js";
import { CelUint } from "../values/cel-uint.js";
import type { CelValue } from "../values/cel-value.js";
import { formatDouble } from "../values/format-double.js";
import { formatDuration, formatTimestamp } from "../values/format-time.js";
import { typeOf } from "../values/type-of.js";

/** Returns a scalar as messages show it; of other values only the type. */
export function describeValue(value: CelValue): string {
  if (value instanceof CelDouble) {
    return formatDouble(value.value);
  }
  if (value instanceof CelUint) {
    return String(value.value);
  }
  if (value instanceof CelType) {
    return value.name;
  }
  if (value instanceof CelTimestamp) {
    return formatTimestamp(value);
  }
  if (value instanceof CelDuration) {
    return formatDuration(value);
  }
  if (value instanceof CelOptional) {
    return value.value === undefined
      ? "optional.none()"
      : `optional(${describeValue(value.value)})`;
  }
  return typeof value === "object" && value !== null ? typeOf(value).name : String(value);
}
