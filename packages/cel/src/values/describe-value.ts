import { CelDouble } from "./cel-double.js";
import { CelDuration } from "./cel-duration.js";
import { CelOptional } from "./cel-optional.js";
import { CelTimestamp } from "./cel-timestamp.js";
import { CelType } from "./cel-type.js";
import { CelUint } from "./cel-uint.js";
import type { CelValue } from "./cel-value.js";
import { formatDouble } from "./format-double.js";
import { formatDuration, formatTimestamp } from "./format-time.js";
import { typeOf } from "./type-of.js";

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
